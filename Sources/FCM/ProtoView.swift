internal import JSON
internal import PushCore

/// What the converter has read of a text: for each object of a message type, where the values of its fields are.
final class ProtoReading: Sendable {
    let document: JSONDocument
    /// For each object its own place, then a slot for each of its type's fields: the place of a value, or for a message
    /// where its slots begin; -1 where the field is not set.
    let slots: [Int32]

    init(_ document: JSONDocument, slots: [Int32]) {
        self.document = document
        self.slots = slots
    }
}

/// A message that the converter has found no fault in, read field by field: the last of several, null as absent.
struct ProtoView: Sendable {
    private let reading: ProtoReading
    private let base: Int
    private let name: FCMSchema.Name

    init(_ reading: ProtoReading, at base: Int = 0, as name: FCMSchema.Name) {
        self.reading = reading
        self.base = base
        self.name = name
    }

    var document: JSONDocument { reading.document }

    /// Its type's fields.
    var rows: some Sequence<ProtoField> {
        let name = name
        return (0..<FCMSchema.count(of: name)).lazy.map { FCMSchema.field($0, of: name) }
    }

    /// Its type knows that field.
    func knows(_ field: FCMField) -> Bool { FCMSchema.number(of: field, in: name) != nil }

    func has(_ field: FCMField) -> Bool { slot(field) >= 0 }

    /// Where the value is.
    func place(_ field: FCMField) -> JSONPlace? {
        let slot = slot(field)
        guard slot >= 0 else { return nil }
        return JSONPlace(index: Int(message(of: field) == nil ? slot : reading.slots[Int(slot)]))
    }

    subscript(field: FCMField) -> JSONView? { place(field).map(reading.document.view) }

    func string(_ field: FCMField) -> String? { has(field) ? self[field]?.string : nil }

    /// A message within it.
    func message(_ field: FCMField) -> ProtoView? {
        let slot = slot(field)
        guard slot >= 0, let name = message(of: field) else { return nil }
        return ProtoView(reading, at: Int(slot), as: name)
    }

    /// The entries of a map; one whose value is null is none.
    func entries(_ field: FCMField) -> [(key: String, value: String)] {
        guard has(field) else { return [] }
        return (self[field]?.members.map { ($0.key.string ?? "", $0.value.string) } ?? [])
            .compactMap { key, value in value.map { (key, $0) } }
    }

    /// Octets of a map's keys and values.
    func entriesSize(_ field: FCMField) -> Int {
        guard let map = place(field) else { return 0 }
        var (sum, key) = (0, reading.document.firstKey(in: map))
        while let here = key {
            let value = reading.document.value(ofKey: here)
            if reading.document.kind(at: value) != .null {
                sum += reading.document.utf8Count(at: here) + reading.document.utf8Count(at: value)
            }
            key = reading.document.key(after: here, in: map)
        }
        return sum
    }

    /// In whole seconds.
    func seconds(_ field: FCMField) -> Int64? {
        guard has(field), let value = self[field], case .success(let duration) = ProtoScalar.duration(value) else {
            return nil
        }
        return duration.seconds
    }

    /// The type of a field that is a message of its own.
    private func message(of field: FCMField) -> FCMSchema.Name? {
        guard case .message(let inner) = FCMSchema.field(number(of: field), of: name).type else { return nil }
        return inner
    }

    private func slot(_ field: FCMField) -> Int32 { reading.slots[base &+ 1 &+ number(of: field)] }

    private func number(of field: FCMField) -> Int {
        guard let number = FCMSchema.number(of: field, in: name) else {
            preconditionFailure("\(name) has no field \(field)")
        }
        return number
    }
}
