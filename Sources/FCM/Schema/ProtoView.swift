internal import JSON
internal import PushCore

/// A JSON document with the positions of all message fields in it.
final class ProtoDocument: Sendable {
    let document: JSONDocument
    /// For each message: the index of its JSON object in the document, then a slot for each field of its type.
    ///
    /// A slot holds the index of the field's JSON value in the document. If the value is a message, the slot holds the
    /// position in `slots` at which that message begins. A slot is -1 if the field is not set.
    let slots: [Int32]

    init(_ document: JSONDocument, slots: [Int32]) {
        self.document = document
        self.slots = slots
    }
}

/// A converted message without faults. If the JSON has a field more than once, the last value counts; null counts as
/// absent.
struct ProtoView: Sendable {
    private let proto: ProtoDocument
    private let base: Int
    private let name: FCMSchema.MessageType

    init(_ proto: ProtoDocument, at base: Int = 0, as name: FCMSchema.MessageType) {
        self.proto = proto
        self.base = base
        self.name = name
    }

    var document: JSONDocument { proto.document }

    /// The fields of its type.
    var fields: some Sequence<ProtoField> {
        let name = name
        return (0..<FCMSchema.count(of: name)).lazy.map { FCMSchema.field($0, of: name) }
    }

    /// Whether its type has the field at all.
    func knows(_ field: FCMField) -> Bool { FCMSchema.index(of: field, in: name) != nil }

    func has(_ field: FCMField) -> Bool { slot(field) >= 0 }

    /// The position of the field's JSON value.
    func place(_ field: FCMField) -> JSONPlace? {
        let slot = slot(field)
        guard slot >= 0 else { return nil }
        return JSONPlace(index: Int(message(of: field) == nil ? slot : proto.slots[Int(slot)]))
    }

    subscript(field: FCMField) -> JSONView? { place(field).map(proto.document.view) }

    func string(_ field: FCMField) -> String? { has(field) ? self[field]?.string : nil }

    /// The value of a field that is a message.
    func message(_ field: FCMField) -> ProtoView? {
        let slot = slot(field)
        guard slot >= 0, let name = message(of: field) else { return nil }
        return ProtoView(proto, at: Int(slot), as: name)
    }

    /// The entries of a map, without those whose value is null.
    func entries(_ field: FCMField) -> [(key: String, value: String)] {
        guard has(field) else { return [] }
        return (self[field]?.members.map { ($0.key.string ?? "", $0.value.string) } ?? [])
            .compactMap { key, value in value.map { (key, $0) } }
    }

    /// The number of bytes of a map's keys and values.
    func entriesSize(_ field: FCMField) -> Int {
        guard let map = place(field) else { return 0 }
        var (sum, key) = (0, proto.document.firstKey(in: map))
        while let here = key {
            let value = proto.document.value(ofKey: here)
            if proto.document.kind(at: value) != .null {
                sum += proto.document.utf8Count(at: here) + proto.document.utf8Count(at: value)
            }
            key = proto.document.key(after: here, in: map)
        }
        return sum
    }

    /// The value of a duration, in whole seconds.
    func seconds(_ field: FCMField) -> Int64? {
        guard has(field), let value = self[field], case .success(let duration) = ProtoScalar.duration(value) else {
            return nil
        }
        return duration.seconds
    }

    /// The type of a field that is a message; nil for other fields.
    private func message(of field: FCMField) -> FCMSchema.MessageType? {
        guard case .message(let inner) = FCMSchema.field(index(of: field), of: name).type else { return nil }
        return inner
    }

    private func slot(_ field: FCMField) -> Int32 { proto.slots[base &+ 1 &+ index(of: field)] }

    private func index(of field: FCMField) -> Int {
        guard let index = FCMSchema.index(of: field, in: name) else {
            preconditionFailure("\(name) has no field \(field)")
        }
        return index
    }
}
