internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine
internal import WebSocket

/// Encodes pushes and events as WebSocket frames for device sockets (docs/devices.md).
struct FrameWriter {
    /// The payload of the last push, for each platform: a push to a topic goes to devices of several platforms in turn.
    private var payloads = Device.Platform.allCases.map { _ in PayloadMemo() }
    private var pushes = FrameTemplateBook<PushSlot, PushSource>()
    private var events = FrameTemplateBook<EventSlot, TemplateKey>()

    private struct PushSlot: Equatable {
        let platform: Device.Platform
        let hasRaw: Bool
        let hasUniqueID: Bool
    }

    private struct PushSource: Equatable {
        let version: Int
        let attempt: Int
        let storedFor: Int64
    }

    private struct EventSlot: Equatable {
        let kind: Event.Kind
        let hasPush: Bool
        let variant: UInt8
        let why: RuleID?
    }

    mutating func push(
        _ push: PushEngine.InboundPush, as event: Event, attempt: Int, hasRaw: Bool, into output: inout [UInt8]
    ) {
        let index = Self.index(of: push.platform)
        let version = payloads[index].read(push, event.app)
        let source = PushSource(version: version, attempt: attempt, storedFor: push.delivery.storedFor)
        let slot = PushSlot(platform: push.platform, hasRaw: hasRaw, hasUniqueID: push.uniqueID != nil)
        var values = FrameTemplate.Values(seq: event.seq, time: event.time, push: push.id)
        (values.apnsID, values.apnsUniqueID) = (push.generatedID, push.uniqueID)
        pushes.append(slot, source, values, to: &output) { json, marks in
            json.member("type", "push")
            marks.member("seq", .seq, to: &json) { $0.integer(event.seq) }
            marks.member("id", .push, to: &json) { $0.value(push.id) }
            json.member("provider", payloads[index].provider.rawValue)
            Self.writeIDs(of: push, payloads[index], to: &json, &marks)
            json.member("app", event.app)
            json.member("attempt", attempt)
            json.member("storedFor", push.delivery.storedFor)
            json.key("headers")
            json.raw(payloads[index].headers)
            json.key("payload")
            json.raw(payloads[index].payload)
            if hasRaw { json.member("raw", Base64.encode(push.delivery.request.body)) }
        }
    }

    /// Writes the ids in the answer to the push. Generated ids differ from push to push.
    private static func writeIDs(
        of push: PushEngine.InboundPush, _ payload: borrowing PayloadMemo, to json: inout JSONWriter,
        _ marks: inout FrameTemplate.Placeholders
    ) {
        if payload.provider != .apns {
            if payload.provider == .fcm, let name = payload.name { json.member("name", name) }
            return
        }
        if let id = payload.suppliedID {
            json.member("apnsId", id)
        } else {
            marks.member("apnsId", .apnsID, to: &json) { $0.raw(push.generatedID.quoted(isLowercase: false)) }
        }
        if let id = push.uniqueID {
            marks.member("apnsUniqueId", .apnsUniqueID, to: &json) { $0.raw(id.quoted(isLowercase: true)) }
        }
    }

    private static func index(of platform: Device.Platform) -> Int {
        switch platform {
        case .ios: 0
        case .android: 1
        case .web: 2
        }
    }

    mutating func event(_ event: Event, into output: inout [UInt8]) {
        let (templateKey, number) = event.templateKey
        let values = FrameTemplate.Values(seq: event.seq, time: event.time, push: event.push, number: number)
        let slot = EventSlot(
            kind: event.kind, hasPush: event.push != nil, variant: templateKey?.variant ?? 0, why: event.why)
        events.append(slot, templateKey, values, to: &output) { json, marks in
            json.member("type", "event")
            marks.member("seq", .seq, to: &json) { $0.integer(event.seq) }
            marks.member("time", .time, to: &json) { $0.value(event.time) }
            json.member("kind", event.kind.rawValue)
            if let push = event.push { marks.member("push", .push, to: &json) { $0.value(push) } }
            if let why = event.why { json.member("why", why.description) }
            json.key("data")
            event.writeData(to: &json, &marks)
        }
    }
}

/// The most recent frame of each kind (slot), as a template.
///
/// The next frame from the same source differs only in its numbers, which are overwritten in the template.
private struct FrameTemplateBook<Slot: Equatable, Source: Equatable> {
    private var slots: [Slot] = []
    private var sources: [Source] = []
    private var templates: [FrameTemplate] = []

    /// The maximum number of slots. When it is reached, all slots are dropped. Normally there are only a few, but a
    /// slot may contain a rule id, and a restored log may contain any rule ids.
    private static var limit: Int { 64 }

    /// - Parameters:
    ///   - source: what the frame is made from; nil if no other frame will come from it.
    ///   - write: writes the members of the frame's object.
    mutating func append(
        _ slot: Slot, _ source: Source?, _ values: FrameTemplate.Values, to output: inout [UInt8],
        _ write: (inout JSONWriter, inout FrameTemplate.Placeholders) -> Void
    ) {
        func template() -> FrameTemplate { FrameTemplate(values) { json, marks in json.object { write(&$0, &marks) } } }
        guard let source else { return FrameEncoder.append(.text, template().bytes, into: &output) }
        if let place = slots.firstIndex(of: slot) {
            if sources[place] != source || !templates[place].overwrite(values) {
                (sources[place], templates[place]) = (source, template())
            }
            return FrameEncoder.append(.text, templates[place].bytes, into: &output)
        }
        if slots.count == Self.limit { self = FrameTemplateBook() }
        slots.append(slot)
        sources.append(source)
        templates.append(template())
        FrameEncoder.append(.text, templates[templates.count - 1].bytes, into: &output)
    }
}
