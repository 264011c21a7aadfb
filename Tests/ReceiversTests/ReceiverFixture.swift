import HTTPCore
import PushCore

@testable import Receivers

/// A book with one client that is connected or not, as a browser would be.
struct ReceiverFixture {
    var real = RealReceivers(seed: 1, isPoint: { $0.count == 65 })
    var book: ReceiverBook {
        get { real.google }
        _modify { yield &real.google }
    }
    let id: ReceiverID
    var session = MCSSession()
    static let first = ClientID(slot: 1, generation: 0)
    static let now = Timestamp(milliseconds: 1_790_000_000_000)
    static let key = Base64URL.encode([4] + [UInt8](repeating: 7, count: 64))

    init() throws {
        var body = ProtoWriter()
        body.number(2, 0)
        let answer = real.google.checkIn(Self.request("/checkin", body.bytes), at: Self.now)
        guard case .bytes(let bytes) = answer.body else { throw ProtoReader.Damage() }
        var (reader, fields) = (ProtoReader(bytes[...]), [Int: ProtoReader.Value]())
        while let (number, value) = try reader.next() { fields[number] = value }
        id = ReceiverID(android: fields[7]?.fixed ?? 0, token: fields[8]?.fixed ?? 0)
    }

    static func request(_ path: String, _ body: [UInt8], _ fields: [(String, String)] = []) -> Request {
        var headers = HeaderBlock([.method: "POST", .path: path, .authority: "fcm.googleapis.com"])
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        request.body = body
        return request
    }

    mutating func register(_ form: String, as login: String? = nil) -> String {
        let login = login ?? "AidLogin \(id.android):\(id.token)"
        let answer = book.register(Self.request("/c2dm/register3", Array(form.utf8), [("authorization", login)]))
        guard case .bytes(let bytes) = answer.body else { return "" }
        return "\(answer.status) \(String(decoding: bytes, as: UTF8.self))"
    }

    /// Subscribes as Chromium does for a page.
    mutating func subscribe(_ page: String = "page") throws -> String {
        let answer = register(
            "app=org.chromium.linux&X-subtype=wp:https://\(page)/%23A-V2&device=1&scope=GCM&sender=\(Self.key)")
        guard answer.hasPrefix("200 token=") else { throw ProtoReader.Damage() }
        return String(answer.dropFirst("200 token=".count))
    }

    private var lastPush: UInt64 = 0

    /// A push with these fields instead of usual ones. Every signature is right.
    mutating func push(_ token: String, _ text: String = "x", _ changes: [String: String?] = [:])
        -> WebPushAnswer
    {
        lastPush += 1
        var fields: [String: String?] = ["ttl": "60", "content-encoding": "aes128gcm", "authorization": Self.vapid()]
        fields.merge(changes) { $1 }
        let given = fields.compactMap { name, value in value.map { (name, $0) } }.sorted { $0.0 < $1.0 }
        let request = Self.request("/fcm/send/\(token)", Array(text.utf8), given)
        return real.send(WebPush(request, PushID(lastPush), at: Self.now))
    }

    static func vapid(
        _ claims: String = #"{"aud":"https://fcm.googleapis.com","exp":1790003600,"sub":"mailto:a@b"}"#,
        key: String = key,
        head: String = #"{"typ":"JWT","alg":"ES256"}"#
    ) -> String {
        let token = [head, claims, "signature"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        return "vapid t=\(token),k=\(key)"
    }

    // MARK: MCS

    static func frame(_ tag: MCSTag, _ body: (inout ProtoWriter) -> Void = { _ in }) -> [UInt8] {
        var message = ProtoWriter()
        body(&message)
        var bytes = [tag.rawValue]
        ProtoWriter.append(UInt64(message.bytes.count), to: &bytes)
        return bytes + message.bytes
    }

    func login(_ id: ReceiverID? = nil, received: [String] = [], heartbeat: UInt64? = nil) -> [UInt8] {
        let id = id ?? self.id
        return [41]
            + Self.frame(.loginRequest) { login in
                login.text(1, "chrome-1")
                login.text(3, "\(id.android)")
                login.text(5, "\(id.token)")
                for one in received { login.text(10, one) }
                if let heartbeat { login.message(13) { $0.number(3, heartbeat) } }
            }
    }

    /// Passes bytes to the session, and returns the frames of the answer in words.
    mutating func receive(_ bytes: [UInt8], as session: ClientID = first) throws -> [String] {
        self.session.append(bytes.span)
        while try self.session.handleNext(&real.google, session, at: Self.now) {}
        return try takeOutput()
    }

    /// Passes bytes to the session without taking the answer.
    mutating func handle(_ bytes: [UInt8], at now: Timestamp = now) throws {
        session.append(bytes.span)
        while try session.handleNext(&real.google, Self.first, at: now) {}
    }

    mutating func deliver(at now: Timestamp = now) -> Bool { session.deliver(from: &real.google, Self.first, at: now) }

    mutating func checkIn(_ body: [UInt8] = []) -> ReceiverID? { real.google.checkIn(Checkin(body)) }

    mutating func takeOutput(at now: Timestamp = now) throws -> [String] {
        _ = deliver(at: now)
        var output: [UInt8] = []
        session.drain(into: &output, upTo: .max)
        var rest = output[...]
        if rest.first == 41 { rest = rest.dropFirst() }
        var frames: [String] = []
        while let tag = rest.popFirst(), let length = ProtoReader.varint(&rest) {
            frames.append(try Self.words(tag, rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return frames
    }

    private static func words(_ tag: UInt8, _ body: ArraySlice<UInt8>) throws -> String {
        var (reader, fields) = (ProtoReader(body), [Int: ProtoReader.Value]())
        var texts: [String: String] = [:]
        while let (number, value) = try reader.next() {
            fields[number] = value
            guard tag == MCSTag.dataMessage.rawValue, number == 7, let pair = value.bytes else { continue }
            var inner = ProtoReader(pair)
            var (key, text) = ("", "")
            while let (number, value) = try inner.next() {
                if number == 1 { key = value.text ?? "" } else { text = value.text ?? "" }
            }
            texts[key] = text
        }
        switch MCSTag(rawValue: tag) {
        case .loginResponse: return fields[3] == nil ? "login" : "refused"
        case .heartbeatPing: return "ping \(fields[2]?.number ?? 0)"
        case .heartbeatAck: return "pong \(fields[2]?.number ?? 0)"
        case .iq: return "ack \(fields[10]?.number ?? 0)"
        case .dataMessage where texts["message_type"] == "deleted_messages":
            return "lost \(texts["total_deleted"] ?? "")"
        case .dataMessage: return "push \(fields[21]?.text ?? "-")"
        default: return "tag \(tag)"
        }
    }
}

extension RealReceivers {
    /// Sends a push as the engine does. Every signature is right.
    mutating func send(_ push: WebPush?, base: String = "https://localhost:2197") -> WebPushAnswer {
        guard let push else { return WebPushAnswer(response: Response(status: 404)) }
        do throws(WebPushRefusal) {
            let terms = try push.service.check(push, endpoint(push.token, push.service), { _, _, _ in true })
            let id = add(push, terms)
            return WebPushAnswer(response: push.service.acceptance(of: push, id: id, terms, base: base))
        } catch { return WebPushAnswer(error) }
    }
}
