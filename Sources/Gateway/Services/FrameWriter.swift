internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import WebSocket

/// What devices' sockets are told of pushes and events (protocol.md), as frames.
struct FrameWriter {
    private var payloads = PayloadMemo()
    private var pushes = MouldBook<PushSlot, PushSource>()
    private var events = MouldBook<EventSlot, EventLook>()

    private struct PushSlot: Equatable {
        let hasRaw: Bool
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
        _ push: PushDesk.Inbound, as event: Event, attempt: Int, hasRaw: Bool, into output: inout [UInt8]
    ) {
        let version = payloads.read(push, event.app)
        let source = PushSource(version: version, attempt: attempt, storedFor: push.parcel.storedFor)
        pushes.append(
            PushSlot(hasRaw: hasRaw), source, Mould.Values(seq: event.seq, time: event.time, push: push.id), to: &output
        ) { json, marks in
            json.member("type", "push")
            marks.member("seq", .seq, to: &json) { $0.integer(event.seq) }
            marks.member("id", .push, to: &json) { $0.value(push.id) }
            json.member("provider", payloads.provider.rawValue)
            json.member("app", event.app)
            json.member("attempt", attempt)
            json.member("storedFor", push.parcel.storedFor)
            json.key("headers")
            json.raw(payloads.headers)
            json.key("payload")
            json.raw(payloads.payload)
            if hasRaw { json.member("raw", Base64.encode(push.parcel.request.body)) }
        }
    }

    mutating func event(_ event: Event, into output: inout [UInt8]) {
        let (look, number) = event.look
        let values = Mould.Values(seq: event.seq, time: event.time, push: event.push, number: number)
        let slot = EventSlot(kind: event.kind, hasPush: event.push != nil, variant: look?.variant ?? 0, why: event.why)
        events.append(slot, look, values, to: &output) { json, marks in
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

/// Frames as they were written last, one in each slot: the next from the same source differs in numbers alone.
private struct MouldBook<Slot: Equatable, Source: Equatable> {
    private var slots: [Slot] = []
    private var sources: [Source] = []
    private var moulds: [Mould] = []

    /// Slots are few; those that a file asks for may be any.
    private static var limit: Int { 64 }

    /// - Parameters:
    ///   - source: nil: nothing else comes from there.
    ///   - write: the members.
    mutating func append(
        _ slot: Slot, _ source: Source?, _ values: Mould.Values, to output: inout [UInt8],
        _ write: (inout JSONWriter, inout Mould.Marks) -> Void
    ) {
        func mould() -> Mould { Mould(values) { json, marks in json.object { write(&$0, &marks) } } }
        guard let source else { return FrameEncoder.append(.text, mould().octets, into: &output) }
        if let place = slots.firstIndex(of: slot) {
            if sources[place] != source || !moulds[place].overwrite(values) {
                (sources[place], moulds[place]) = (source, mould())
            }
            return FrameEncoder.append(.text, moulds[place].octets, into: &output)
        }
        if slots.count == Self.limit { self = MouldBook() }
        slots.append(slot)
        sources.append(source)
        moulds.append(mould())
        FrameEncoder.append(.text, moulds[moulds.count - 1].octets, into: &output)
    }
}
