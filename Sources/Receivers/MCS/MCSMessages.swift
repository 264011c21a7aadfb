/// A client's login.
struct MCSLogin {
    let requestID: String
    let receiver: ReceiverID?
    /// The pushes that the client has received, but whose acknowledgement may not have reached the server.
    let receivedIDs: [String]
    /// How often the client wants a heartbeat of the server, in milliseconds; nil if it has not asked for any.
    let wantedHeartbeat: UInt64?

    /// The most ids of pushes that are read in one frame. A client has about this many unacknowledged pushes at
    /// most (`PushQueue.mostSent`).
    static let mostIDs = 1000

    init(_ body: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(body)
        var texts: [Int: String] = [:]
        var ids: [String] = []
        var heartbeat: UInt64?
        while let (number, value) = try reader.next() {
            switch number {
            case 1, 3, 5: texts[number] = value.text
            case 10: if ids.count < Self.mostIDs, let id = value.text { ids.append(id) }
            case 13: heartbeat = try Self.interval(of: value.bytes ?? [])
            default: break
            }
        }
        wantedHeartbeat = heartbeat
        requestID = texts[1] ?? ""
        receiver = ReceiverID(decimal: texts[3] ?? "", texts[5] ?? "")
        receivedIDs = ids
    }

    /// The interval of a HeartbeatStat.
    private static func interval(of bytes: ArraySlice<UInt8>) throws(ProtoReader.Damage) -> UInt64? {
        var (reader, interval): (ProtoReader, UInt64?) = (ProtoReader(bytes), nil)
        while let (number, value) = try reader.next() {
            if number == 3 { interval = value.number }
        }
        return interval
    }

    func answer(heartbeat milliseconds: Int, serverTime: Int64) -> [UInt8] {
        var answer = ProtoWriter()
        answer.text(1, requestID)
        if let receiver { answer.text(2, "\(receiver.android)@mcs.android.com/\(receiver.android)") }
        answer.message(7) { config in
            config.number(1, 0)
            config.number(3, UInt64(milliseconds))
        }
        answer.number(8, UInt64(clamping: serverTime))
        return answer.bytes
    }

    /// The answer to a wrong id or token.
    var refusal: [UInt8] {
        var answer = ProtoWriter()
        answer.text(1, requestID)
        answer.message(3) { error in
            error.number(1, 401)
            error.text(2, "Authentication failed")
        }
        return answer.bytes
    }
}

/// What frames of a client say about frames of the server.
struct MCSAcknowledgement {
    /// All frames up to this one have arrived.
    var streamID: UInt64?
    /// These pushes have arrived.
    var ids: [String] = []
    /// Whether the client wants to know that this acknowledgement has arrived.
    var wantsAnswer = false

    private static let selectiveAck: UInt64 = 12
    private static let streamAck: UInt64 = 13

    /// - Parameter tag: decides which field has the number of the last frame.
    init(_ tag: MCSTag, _ body: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(body)
        let field = tag == .iq ? 10 : tag == .dataMessage ? 11 : 2
        while let (number, value) = try reader.next() {
            if number == field { streamID = value.number }
            if tag == .iq, number == 7, let inner = value.bytes { try read(extension: inner) }
        }
    }

    private mutating func read(extension bytes: ArraySlice<UInt8>) throws(ProtoReader.Damage) {
        var reader = ProtoReader(bytes)
        var (kind, data): (UInt64, ArraySlice<UInt8>) = (0, [])
        while let (number, value) = try reader.next() {
            if number == 1 { kind = value.number ?? 0 }
            if number == 2 { data = value.bytes ?? [] }
        }
        wantsAnswer = kind == Self.streamAck
        guard kind == Self.selectiveAck else { return }
        var list = ProtoReader(data)
        while ids.count < MCSLogin.mostIDs, let (number, value) = try list.next() {
            if number == 1, let id = value.text { ids.append(id) }
        }
    }

    /// A frame that only acknowledges the client's frames.
    static func frame(upTo streamID: UInt64) -> [UInt8] {
        var body = ProtoWriter()
        body.number(2, 1)
        body.text(3, "")
        body.message(7) { part in
            part.number(1, streamAck)
            part.text(2, "")
        }
        body.number(10, streamID)
        return body.bytes
    }
}
