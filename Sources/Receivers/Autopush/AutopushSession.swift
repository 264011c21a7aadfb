internal import JSON
package import PushCore

/// One WebSocket of a client of Mozilla's push service.
package struct AutopushSession {
    /// The client, once it has said hello.
    package private(set) var client: String?
    /// Whether the last message has registered a channel or ended one. The answer must not be sent before that is saved.
    package private(set) var hasChangedChannels = false
    /// The base of the endpoints that it gets, such as `https://localhost:2197`.
    private let base: String

    package init(base: String) { self.base = base }

    /// What the client has sent that ends the connection.
    package struct Problem: Error, Equatable {
        package let sentence: String
    }

    private static let longestID = 128
    /// The most acknowledgements that are read in one message. A client has about this many unacknowledged pushes
    /// at most (`PushQueue.mostSent`).
    private static let mostUpdates = 1000

    /// Handles a message. Returns the answers.
    package mutating func receive(
        _ text: [UInt8], _ book: inout AutopushBook, _ session: ClientID, at now: Timestamp
    ) throws(Problem) -> [[UInt8]] {
        guard let message = try? JSONDocument(parsing: text).root, message.kind == .object else {
            throw Problem(sentence: "a message is not a JSON object")
        }
        hasChangedChannels = false
        // An empty object is a ping.
        guard let type = message["messageType"]?.string else {
            return message.members.contains { _ in true } ? [] : [Array("{}".utf8)]
        }
        if type == "hello" { return try hello(message, &book, session, at: now) }
        guard let client else { throw Problem(sentence: "a message came before 'hello'") }
        guard book.isCurrent(session, of: client) else { throw Problem(sentence: "the client has a newer connection") }
        let channel = message["channelID"]?.string ?? ""
        switch type {
        case "register":
            guard Self.isChannel(channel) else { return [Self.answer("register", 400, channel)] }
            let key = message["key"]?.string
            let point = key.flatMap { Base64URL.decodeAny($0.utf8) }
            guard key == nil || point?.count == 65 && point?.first == 4 else {
                return [Self.answer("register", 400, channel)]
            }
            guard let endpoint = book.subscribe(channel, of: client, key: point, base: base) else {
                return [Self.answer("register", 500, channel)]
            }
            hasChangedChannels = true
            return [Self.answer("register", 200, channel, [("pushEndpoint", endpoint)])]
        case "unregister":
            hasChangedChannels = true
            book.unsubscribe(channel, of: client)
            return [Self.answer("unregister", 200, channel)]
        case "ack":
            var codes: [String: Int64?] = [:]
            if let updates = message["updates"] {
                for update in updates.elements.prefix(Self.mostUpdates) {
                    if let version = update["version"]?.string {
                        codes.updateValue(update["code"]?.int64, forKey: version)
                    }
                }
            }
            book.acknowledge(codes, by: client)
            return []
        case "nack":
            if let version = message["version"]?.string {
                book.acknowledge([version: message["code"]?.int64], by: client)
            }
            return []
        default: return []
        }
    }

    private mutating func hello(
        _ message: JSONView, _ book: inout AutopushBook, _ session: ClientID, at now: Timestamp
    ) throws(Problem) -> [[UInt8]] {
        guard client == nil else { throw Problem(sentence: "'hello' came twice") }
        let known = message["uaid"]?.string
        guard let id = book.connect(known.flatMap { $0.utf8.count <= Self.longestID ? $0 : nil }, session)
        else {
            throw Problem(sentence: "there are too many clients")
        }
        client = id
        var json = JSONWriter()
        json.object { json in
            json.member("messageType", "hello")
            json.member("status", 200)
            json.member("uaid", id)
            json.member("use_webpush", true)
            json.key("broadcasts")
            json.object { _ in }
        }
        return [json.finish()]
    }

    /// The next push that waits for the client; nil if none does.
    package func nextMessage(from book: inout AutopushBook, _ session: ClientID, at now: Timestamp) -> [UInt8]? {
        guard let client, book.isCurrent(session, of: client),
            let (push, channel) = book.nextMessage(for: client, at: now)
        else { return nil }
        return Self.notification(push, channel)
    }

    private static func notification(_ push: WaitingPush, _ channel: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("messageType", "notification")
            json.member("channelID", channel)
            json.member("version", push.id)
            guard !push.body.isEmpty else { return }
            json.member("data", Base64URL.encode(push.body))
            json.key("headers")
            json.object { json in
                json.member("encoding", push.encoding.name)
                if let encryption = push.encoding.encryption { json.member("encryption", encryption) }
                if let key = push.encoding.cryptoKey { json.member("crypto_key", key) }
            }
        }
        return json.finish()
    }

    private static func answer(
        _ type: String, _ status: Int, _ channel: String, _ fields: [(String, String)] = []
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("messageType", type)
            json.member("status", status)
            json.member("channelID", String(channel.prefix(longestID)))
            for (name, value) in fields { json.member(name, value) }
        }
        return json.finish()
    }

    /// A UUID with dashes, in lower case.
    private static func isChannel(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                let isDash = [8, 13, 18, 23].contains(index)
                return isDash ? byte == UInt8(ascii: "-") : 0x30...0x39 ~= byte || 0x61...0x66 ~= byte
            }
    }
}
