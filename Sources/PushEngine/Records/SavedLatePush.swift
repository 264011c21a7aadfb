internal import APNs
internal import FCM
internal import HTTPCore
internal import PushCore

/// A late push as it is saved. Devices are named by id, because their slots change at a restart.
struct SavedLatePush: SavedValue {
    let due: Timestamp
    let id: PushID
    let request: Request
    let environment: PushEnvironment
    let content: Content
    /// The number of devices that were done when this was saved. They are not in `devices`.
    let done: Int
    /// Empty ids stand for devices that were deleted.
    let devices: [String]

    enum Content {
        case broadcast(channel: String, PushTraits)
        /// The rest of the message is read again from the request.
        case message(name: String, sent: Timestamp, isForMany: Bool)
        case push(PushTraits)
        case webPush

        init(_ content: PushEngine.FanOut.Content) {
            switch content {
            case .broadcast(let broadcast): self = .broadcast(channel: broadcast.channel, broadcast.traits)
            case .message(let message, let isForMany):
                self = .message(name: message.name, sent: message.sent, isForMany: isForMany)
            case .push(let traits): self = .push(traits)
            case .webPush: self = .webPush
            }
        }

        /// Throws if the request does not contain a message.
        func content(of request: Request) throws(ByteReader.Damage) -> PushEngine.FanOut.Content {
            switch self {
            case .broadcast(let channel, let traits):
                return .broadcast(BroadcastDialect.Broadcast(channel: channel, subscribers: [], traits: traits))
            case .message(let name, let sent, let isForMany):
                guard let message = FCMDelivery(savedIn: request, name: name, sent: sent) else {
                    throw ByteReader.Damage()
                }
                return .message(message, isForMany: isForMany)
            case .push(let traits): return .push(traits)
            case .webPush: return .webPush
            }
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.signed(due.milliseconds)
        writer.number(id.number)
        writer.request(request)
        writer.text(environment.rawValue)
        switch content {
        case .broadcast(let channel, let traits):
            writer.number(0)
            writer.text(channel)
            traits.write(to: &writer)
        case .message(let name, let sent, let isForMany):
            writer.number(1)
            writer.text(name)
            writer.signed(sent.milliseconds)
            writer.flag(isForMany)
        case .push(let traits):
            writer.number(2)
            traits.write(to: &writer)
            writer.text(traits.kind?.rawValue ?? "")
        case .webPush: writer.number(3)
        }
        writer.number(UInt64(done))
        writer.number(UInt64(devices.count))
        for device in devices { writer.text(device) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        due = try reader.timestamp()
        id = try reader.push()
        request = try reader.request()
        environment = try reader.word()
        switch try reader.number() {
        case 0: content = .broadcast(channel: try reader.text(), try PushTraits(from: &reader))
        case 1:
            content = .message(
                name: try reader.text(), sent: try reader.timestamp(), isForMany: try reader.flag())
        case 2:
            var traits = try PushTraits(from: &reader)
            traits.kind = TokenKind(rawValue: try reader.text())
            content = .push(traits)
        case 3: content = .webPush
        default: throw ByteReader.Damage()
        }
        done = try reader.count()
        devices = try reader.list { (reader) throws(ByteReader.Damage) in try reader.text() }
    }
}

extension SavedLatePush {
    init(
        due: Timestamp, id: PushID, request: Request, environment: PushEnvironment, content: Content, done: Int,
        devices: [String]
    ) {
        self.due = due
        self.id = id
        self.request = request
        self.environment = environment
        self.content = content
        self.done = done
        self.devices = devices
    }
}
