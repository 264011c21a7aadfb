internal import JSON
internal import PushCore

/// What a filter is compared with: a push, or an event and the push behind it.
final class FilterSubject {
    /// The event that is counted. If the filter is about pushes, it is the push's own event.
    let event: Event
    private let message: Message?
    private let devices: [DeviceID]
    private let isEvent: Bool
    private lazy var data = eventData

    /// A push, and those of its devices that the filter is compared with.
    init(_ message: Message, on devices: [DeviceID]) {
        event = message.event
        self.message = message
        self.devices = devices
        isEvent = false
    }

    /// An event, and the push behind it; nil if it has no push.
    init(_ event: Event, of message: Message?) {
        self.event = event
        self.message = message
        devices = event.device.map { [$0] } ?? []
        isEvent = true
    }

    /// A list of texts. The ids of devices become texts one by one, because a push may have a hundred thousand devices.
    enum Texts {
        case texts([String])
        case devices([DeviceID])

        var count: Int {
            switch self {
            case .texts(let texts): texts.count
            case .devices(let devices): devices.count
            }
        }

        subscript(index: Int) -> String {
            switch self {
            case .texts(let texts): texts[index]
            case .devices(let devices): devices[index].description
            }
        }
    }

    /// The texts at a place. A condition holds if one of them is the wanted one.
    func texts(at place: MessageFilter.Place) -> Texts {
        switch place {
        case .field(.device): .devices(devices)
        case .field(let field): .texts(texts(of: field))
        case .header(let name): .texts(message?.shownHeaders.filter { $0.name == name }.map(\.value) ?? [])
        case .body, .eventData: .texts([view(at: place)?.text].compactMap(\.self))
        case .event(.kind): .texts([event.kind.rawValue])
        case .event(.device): .texts([event.device?.description].compactMap(\.self))
        case .event(.why): .texts([event.why?.description].compactMap(\.self))
        }
    }

    /// The value at a place that a pointer names.
    func value(at place: MessageFilter.Place) -> JSONValue? { view(at: place).map { JSONValue($0) } }

    /// The value at a place, as an answer shows it; nil if it has no value.
    func shown(at place: MessageFilter.Place) -> JSONValue? {
        switch place {
        case .body, .eventData: return value(at: place)
        case .header:
            let texts = texts(at: place)
            return texts.count == 0 ? nil : .string(texts[0])
        case .field, .event:
            let texts = texts(at: place)
            if texts.count < 2 { return texts.count == 0 ? nil : .string(texts[0]) }
            return .array((0..<min(texts.count, Self.maxShown)).map { .string(texts[$0]) })
        }
    }

    private static let maxShown = 20

    private func view(at place: MessageFilter.Place) -> JSONView? {
        switch place {
        case .body(let pointer): message?.document?.root[pointer]
        case .eventData(let pointer): data?.root[pointer]
        case .field, .header, .event: nil
        }
    }

    private var eventData: JSONDocument? {
        var json = JSONWriter()
        var marks = FrameTemplate.Placeholders()
        event.writeData(to: &json, &marks, message?.event.seq == event.seq ? message?.ids : nil)
        return try? JSONDocument(parsing: json.finish())
    }

    private func texts(of field: MessageFilter.Field) -> [String] {
        if field == .app { return apps }
        guard let message else { return [] }
        return switch field {
        case .provider: [message.record.provider.rawValue]
        case .apnsID: [message.ids.apnsID].compactMap(\.self)
        case .apnsUniqueID: [message.ids.apnsUniqueID].compactMap(\.self)
        case .name: [message.ids.name].compactMap(\.self)
        case .token: [message.facts.target?.token].compactMap(\.self)
        case .topic: [message.facts.topic].compactMap(\.self)
        case .pushType: [message.facts.pushType].compactMap(\.self)
        case .outcome: [message.event.kind.rawValue]
        case .status: [String(message.record.status)]
        case .reason: [message.record.reason].compactMap(\.self)
        case .rule:
            [message.event.why?.description].compactMap(\.self) + message.record.findings.map(\.rule.description)
        case .text: message.texts
        case .app, .device: []
        }
    }

    /// The app and the project of the push. An event on a device may have another app: a topic message has its project as
    /// its app.
    private var apps: [String] {
        var apps = isEvent ? [event.app] : []
        for app in [message?.event.app, message?.facts.project].compactMap(\.self) where !apps.contains(app) {
            apps.append(app)
        }
        // A web push has no project. Its app is an origin, which may also be named by its host.
        if message?.record.provider == .webpush, let host = apps.last?.hostOfOrigin { apps.append(host) }
        return apps
    }
}

extension JSONView {
    /// The text that a pattern is compared with: a string's content, or a number or truth value as it is written.
    fileprivate var text: String? {
        switch kind {
        case .string: string
        case .number, .bool: String(decoding: source, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }
}
