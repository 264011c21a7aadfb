internal import JSON
internal import PushCore

/// The format in which waiting pushes are stored on disk. A new field goes at the end, so that older files can be read.
extension StoredPush {
    func encode(to json: inout JSONWriter) {
        var writer = ByteWriter()
        writer.number(id.number)
        writer.signed(since.milliseconds)
        writer.request(request)
        traits.write(to: &writer)
        switch key {
        case .app: writer.number(0)
        case .channel(let channel):
            writer.number(1)
            writer.text(channel)
        case .collapseKey(let key):
            writer.number(2)
            writer.byteArray(key)
        case .pending(let push):
            writer.number(3)
            writer.number(push.number)
        case .kind: writer.number(4)
        }
        let obstacles: [Device.Obstacle] = [.offline, .directBoot, .stopped, .doze]
        var until: Timestamp?
        if case .throttled(let end) = obstacle { until = end }
        writer.number(UInt64(obstacle.flatMap(obstacles.firstIndex).map { $0 + 1 } ?? (until == nil ? 0 : 5)))
        writer.signed(until?.milliseconds ?? 0)
        writer.text(traits.kind?.rawValue ?? "")
        json.value(Hex.encode(writer.bytes))
    }

    init(saved json: JSONView) throws(ByteReader.Damage) {
        guard let text = json.string, let bytes = Hex.decode(text.utf8Span.span) else { throw ByteReader.Damage() }
        var reader = ByteReader(bytes)
        self = try StoredPush(from: &reader)
    }

    private init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (id, since, request) = (
            try reader.push(), try reader.timestamp(), try reader.request()
        )
        var traits = try PushTraits(from: &reader)
        var key: Key?
        switch try reader.number() {
        case 0: key = .app
        case 1: key = .channel(try reader.text())
        case 2: key = .collapseKey(try reader.byteArray())
        case 3: key = .pending(try reader.push())
        case 4: key = nil
        default: throw ByteReader.Damage()
        }
        let obstacles: [Device.Obstacle?] = [nil, .offline, .directBoot, .stopped, .doze]
        let (number, until) = (try reader.number(), try reader.timestamp())
        if !reader.isAtEnd { traits.kind = TokenKind(rawValue: try reader.text()) }
        guard number <= 5 else { throw ByteReader.Damage() }
        self.init(
            id: id, request: request, traits: traits, key: key ?? Key(for: traits), since: since,
            obstacle: number == 5 ? .throttled(until: until) : obstacles[Int(number)])
    }
}
