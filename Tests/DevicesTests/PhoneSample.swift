import Devices
import JSON
import PushCore

/// A registry with one device. Effects are returned as lines of text, so that a test table can contain them.
struct PhoneSample: ~Copyable {
    var registry = DeviceRegistry(capacity: 1)
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    private let platform: Device.Platform
    private var pushes: UInt64 = 0
    /// The file that the phone gets for every URL; nil for none.
    var media: Media? {
        didSet { fetched = media.map { .received($0) } ?? .skipped(nil) }
    }
    /// The immediate result of every fetch; nil if the test gives it later.
    var fetched: FetchResult? = .skipped(nil)
    /// Whether lines end in the group, icon, colour and sound of a notification.
    var showsLook = false

    /// - Parameter spec: the members of the spec other than platform and app.
    init(_ platform: Device.Platform, _ spec: String = "", app: String = "a") throws {
        self.platform = platform
        var random = Random(seed: 7)
        let text = #"{"platform":"\#(platform.rawValue)","app":"\#(app)"\#(spec.isEmpty ? "" : ",")\#(spec)}"#
        _ = registry.make(try DeviceSpec(try Self.json(text), at: ""), in: .production, at: now, using: &random)
    }

    static func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }
    static func json(_ text: String) throws -> JSONView { try document(text).root }

    mutating func push(_ payload: String, collapseID: String = "") throws -> [String] {
        pushes += 1
        return try push(payload, PushID(pushes), collapseID: collapseID)
    }

    mutating func push(_ payload: String, _ id: PushID, collapseID: String = "") throws -> [String] {
        let content = PushContent(try Self.document(payload), for: platform)
        return handle(.push(Arrival(push: id, content: content, collapseID: Array(collapseID.utf8))))
    }

    /// A push to another token than the app's own.
    mutating func push(_ payload: String, kind: TokenKind) throws -> [String] {
        pushes += 1
        let content = PushContent(try Self.document(payload), for: platform)
        return handle(.push(Arrival(push: PushID(pushes), content: content, kind: kind)))
    }

    mutating func set(_ state: String) throws {
        try registry.patchState(0, try Self.json(state), at: "", now)
    }

    mutating func wait(_ milliseconds: Int64) -> [String] {
        now = now + milliseconds
        return handle(.timer)
    }

    mutating func handle(_ input: DeviceInput) -> [String] {
        registry.handle(input, at: 0, now).flatMap { effect -> [String] in
            switch effect {
            case .event(let kind, _, let why, let detail):
                ["\(kind) \(why.rule)\(Self.text(detail, kind, now, showsLook: showsLook))"]
            case .fetch(let push, let request):
                ["fetch \(request.url)"] + (fetched.map { handle(.fetched(push, $0)) } ?? [])
            case .wake(let due): ["wake \(due.milliseconds - now.milliseconds)"]
            case .activityBegan(let type, let channel): ["began \(type)\(channel.map { " on \($0)" } ?? "")"]
            case .activityEnded: ["ended"]
            case .unreported(_, let why, _): ["unreported: \(why)"]
            case .hit(let hit): ["hit \(hit.broadlog),\(hit.delivery),\(hit.action) \(hit.ecid)"]
            }
        }
    }

    /// The entries of a shade as JSON.
    static func shade(_ device: Device) -> String {
        var json = JSONWriter()
        json.array { json in for entry in device.phone.shade.entries { entry.write(to: &json) } }
        return String(decoding: json.finish(), as: UTF8.self)
    }

    private static func text(_ detail: Event.Detail, _ kind: Event.Kind, _ now: Timestamp, showsLook: Bool) -> String {
        switch detail {
        case .fields(let fields): return fields.map { " \($0.0)=\(text($0.1))" }.joined()
        case .object(let object):
            var json = JSONWriter()
            var log = EventLog(capacity: 1, byteCapacity: 1)
            log.append(kind, at: now, about: Event.Subject(app: "a"))
            guard let event = log.event(1) else { return "" }
            var marks = FrameTemplate.Placeholders()
            object.write(of: event, to: &json, &marks)
            guard let view = try? JSONDocument(parsing: json.finish()).root else { return " not JSON" }
            let surfaces = view["surfaces"]?.elements.compactMap(\.string).joined(separator: "+") ?? ""
            let texts = ["title", "subtitle", "body", "image"].compactMap { view[$0]?.string }.filter { !$0.isEmpty }
            let looks = showsLook ? ["group", "icon", "color", "sound"].compactMap { view[$0]?.string } : []
            let more = looks.map { " " + $0 }.joined()
            return " \(view["key"]?.string ?? "") '\(texts.joined(separator: "|"))' on \(surfaces)\(more)"
        case .data(let bytes): return " " + String(decoding: bytes, as: UTF8.self)
        default: return ""
        }
    }

    private static func text(_ scalar: JSONScalar) -> String {
        switch scalar {
        case .string(let text): text
        case .int(let number): String(number)
        case .bool(let isTrue): String(isTrue)
        }
    }
}
