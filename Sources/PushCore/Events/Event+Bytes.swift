package import HTTPCore

/// The format in which events are stored on disk.
extension Event {
    private enum Tag: UInt64 { case none, push, stored, replaced, channel, topic, deleted, data, fields, object }

    /// - Parameters:
    ///   - arena: holds the requests of pushes.
    ///   - last: the request that was written last, with an earlier event. Set to this event's request if it has one.
    func write(to writer: inout ByteWriter, _ arena: borrowing RequestArena, after last: inout RequestHandle?) {
        writer.number(seq)
        writer.signed(time.milliseconds)
        writer.text(kind.rawValue)
        writer.text(app)
        writer.optional(device?.description)
        writer.number(push?.number ?? 0)
        writer.optional(why?.description)
        switch detail {
        case .none: writer.number(Tag.none.rawValue)
        case .push(let record):
            // The log has forgotten the request, so the event is stored without the push's record.
            guard let request = arena.view(record.request) else { return writer.number(Tag.none.rawValue) }
            writer.number(Tag.push.rawValue)
            record.write(to: &writer)
            writer.request(request, after: last.flatMap(arena.view))
            last = record.request
        case .stored(let milliseconds):
            writer.number(Tag.stored.rawValue)
            writer.signed(milliseconds)
        case .replaced(let push):
            writer.number(Tag.replaced.rawValue)
            writer.number(push.number)
        case .channel(let name):
            writer.number(Tag.channel.rawValue)
            writer.text(name)
        case .topic(let name):
            writer.number(Tag.topic.rawValue)
            writer.text(name)
        case .deleted(let count):
            writer.number(Tag.deleted.rawValue)
            writer.number(UInt64(count))
        case .data(let bytes):
            writer.number(Tag.data.rawValue)
            writer.byteArray(bytes)
        case .object(let object):
            var objectWriter = ByteWriter()
            object.encode(to: &objectWriter)
            writer.number(Tag.object.rawValue)
            writer.byteArray(objectWriter.bytes)
        case .fields(let fields):
            writer.number(Tag.fields.rawValue)
            writer.number(UInt64(fields.count))
            for (name, value) in fields {
                writer.text(name)
                value.write(to: &writer)
            }
        }
    }

    /// An event as it was read from the disk. The log has to store a push's request again.
    package struct Saved: Sendable {
        package let event: Event
        /// The record of a push, which `event` gets as its detail when its request is stored.
        package let record: SavedPushRecord?
        /// The bytes of an `EventData` object, for the caller to decode.
        package let object: [UInt8]?

        /// A copy with the decoded detail in place of `object`.
        package func with(_ detail: Detail) -> Saved {
            Saved(event: event.with(detail), record: record, object: nil)
        }
    }

    package static func read(from reader: inout ByteReader) throws(ByteReader.Damage) -> Saved {
        let (seq, time) = (try reader.number(), try reader.signed())
        guard Timestamp.representable.contains(time), let kind = Kind(rawValue: try reader.text()) else {
            throw ByteReader.Damage()
        }
        let (app, device, push, why) = (
            try reader.text(), try reader.optional(), try reader.push(), try reader.optional()
        )
        guard let tag = Tag(rawValue: try reader.number()) else { throw ByteReader.Damage() }
        var (detail, record): (Detail, SavedPushRecord?) = (.none, nil)
        var object: [UInt8]?
        switch tag {
        case .none: break
        case .push: record = try SavedPushRecord(push: push, from: &reader)
        case .stored: detail = .stored(milliseconds: try reader.signed(in: Timestamp.distances))
        case .replaced: detail = .replaced(by: try reader.push())
        case .channel: detail = .channel(try reader.text())
        case .topic: detail = .topic(try reader.text())
        case .deleted: detail = .deleted(try reader.count())
        case .data: detail = .data(try reader.byteArray())
        case .object: object = try reader.byteArray()
        case .fields:
            detail = .fields(
                try reader.list { (reader) throws(ByteReader.Damage) in
                    (try reader.text(), try JSONScalar(from: &reader))
                })
        }
        let event = Event(
            seq: seq, time: Timestamp(milliseconds: time), kind: kind, app: app, device: device.map { DeviceID($0) },
            push: push.number == 0 ? nil : push, why: why.map { RuleID($0) }, detail: detail)
        return Saved(event: event, record: record, object: object)
    }

    /// A copy with another detail.
    func with(_ detail: Detail) -> Event {
        Event(seq: seq, time: time, kind: kind, app: app, device: device, push: push, why: why, detail: detail)
    }
}

/// The record of a push as it was read from the disk, together with its request.
package struct SavedPushRecord: Sendable {
    package let request: Request
    private let id: PushID
    private let provider: Provider
    private let name: String
    private let status: Int
    private let reason: String?
    private let findings: [Finding]
    private let environment: PushEnvironment

    init(push: PushID, from reader: inout ByteReader) throws(ByteReader.Damage) {
        id = push
        guard let provider = Provider(rawValue: try reader.text()) else { throw ByteReader.Damage() }
        self.provider = provider
        name = try reader.text()
        status = try reader.count(upTo: 999)
        reason = try reader.optional()
        guard let environment = PushEnvironment(rawValue: try reader.text()) else { throw ByteReader.Damage() }
        self.environment = environment
        findings = try reader.list { (reader) throws(ByteReader.Damage) in
            let (rule, severity) = (try reader.text(), try reader.text())
            guard let known = Finding.Severity(rawValue: severity) else { throw ByteReader.Damage() }
            let path = try reader.text()
            return Finding(rule, known, at: path, try reader.text())
        }
        request = try reader.request()
    }

    package func record(storedAt place: RequestHandle) -> PushRecord {
        PushRecord(
            id: id, provider: provider, name: name, request: place, status: status, reason: reason, findings: findings,
            environment: environment)
    }
}

extension PushRecord {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.text(provider.rawValue)
        writer.text(name)
        writer.number(UInt64(max(0, status)))
        writer.optional(reason)
        writer.text(environment.rawValue)
        writer.number(UInt64(findings.count))
        for finding in findings {
            writer.text(finding.rule.description)
            writer.text(finding.severity.rawValue)
            writer.text(finding.path)
            writer.text(finding.message)
        }
    }
}

extension JSONScalar {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .string(let text):
            writer.number(0)
            writer.text(text)
        case .int(let number):
            writer.number(1)
            writer.signed(number)
        case .bool(let isTrue):
            writer.number(2)
            writer.flag(isTrue)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        switch try reader.number() {
        case 0: self = .string(try reader.text())
        case 1: self = .int(try reader.signed())
        case 2: self = .bool(try reader.flag())
        default: throw ByteReader.Damage()
        }
    }
}
