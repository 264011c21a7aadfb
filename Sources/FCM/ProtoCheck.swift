internal import JSON

/// Tries a JSON text against a message type as Google's converter does, says each fault in its words (facts/fcm.md §2.2
/// and §2.3), and notes where each field's value is.
struct ProtoCheck {
    struct Violation: Sendable, Equatable {
        /// Nil at the root.
        let field: String?
        let description: String
        /// Where the fault is in the text; nil for none of its octets.
        var offset: Int?

        static func == (one: Violation, other: Violation) -> Bool {
            one.field == other.field && one.description == other.description
        }
    }

    var violations: [Violation] = []
    let document: JSONDocument
    private let name: FCMSchema.Name
    /// As `ProtoReading` has it.
    private var slots: [Int32] = []
    var path: [Step] = []
    /// What is being looked at: a key, or a value.
    var place: JSONPlace

    enum Step {
        case field(FCMField)
        case entry(Int)
        case mapValue(Int)
    }

    /// Faults told of one text.
    static let most = 1000
    /// Slots of a message with a block for each platform.
    private static let usualSlots = 128

    init(_ document: JSONDocument, as name: FCMSchema.Name) {
        self.document = document
        self.name = name
        let root = document.rootPlace
        place = root
        slots.reserveCapacity(Self.usualSlots)
        if document.kind(at: root) == .object {
            _ = check(object: root, name)
        } else {
            tell(.rootNotMessage, "")
        }
    }

    /// What was read, where there is no fault in it.
    var view: ProtoView? {
        violations.isEmpty ? ProtoView(ProtoReading(document, slots: slots), as: name) : nil
    }

    /// Where its slots are.
    private mutating func check(object: JSONPlace, _ name: FCMSchema.Name) -> Int32 {
        let base = slots.count
        let count = FCMSchema.count(of: name)
        slots.append(Int32(object.index))
        for _ in 0..<count { slots.append(-1) }
        var chosen: FCMField?
        var key = document.firstKey(in: object)
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            if let number = number(at: here, in: name) {
                slots[base + 1 + number] = -1
                if document.kind(at: value) != .null {
                    let row = FCMSchema.field(number, of: name)
                    if row.isInOneof {
                        if let chosen, chosen != row.field { tellOneof(FCMSchema[name].oneof ?? "", row.field) }
                        chosen = row.field
                    }
                    slots[base + 1 + number] = check(value, row)
                }
            } else {
                tell(.unknownName, document.view(at: here).string ?? "")
            }
            key = document.key(after: here, in: object)
        }
        return Int32(base)
    }

    private func number(at key: JSONPlace, in name: FCMSchema.Name) -> Int? {
        guard let range = document.plainRange(at: key) else {
            let octets = Array(document.view(at: key).utf8 ?? [])
            return FCMSchema.number(of: octets.span, in: name)
        }
        let bytes = document.bytes
        return FCMSchema.number(of: bytes.span.extracting(range), in: name)
    }

    /// What its slot is to have.
    private mutating func check(_ value: JSONPlace, _ row: ProtoField) -> Int32 {
        let kind = document.kind(at: value)
        let slot = Int32(value.index)
        if kind == .array {
            if row.isRepeated { checkList(value, row) } else { refuseList(row) }
            return slot
        }
        if kind == .object, row.type.isScalar {
            tell(.objectOnScalar, row.field.snake)
            return slot
        }
        path.append(.field(row.field))
        defer { path.removeLast() }
        switch (row.type, kind) {
        case (.message(let name), .object): return check(object: value, name)
        case (.map, .object): checkMap(value)
        case (.structure, .object): break
        case (.message, _), (.map, _), (.structure, _): tellInvalid(value, row.type)
        default: checkScalar(value, row)
        }
        return slot
    }

    private mutating func checkList(_ list: JSONPlace, _ row: ProtoField) {
        for (index, element) in document.view(at: list).elements.enumerated() where !element.isNull {
            path.append(.field(row.field))
            path.append(.entry(index))
            place = document.place(of: element)
            checkScalar(place, row)
            path.removeLast(2)
        }
    }

    /// A list where there should be none.
    private mutating func refuseList(_ row: ProtoField) {
        if case .map = row.type {
            tellMap("Cannot bind a list to map for field '\(row.field.snake)'.")
        } else {
            tell(.listOnSingle, row.field.snake)
        }
    }

    private mutating func checkMap(_ map: JSONPlace) {
        var index = 0
        var key = document.firstKey(in: map)
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            path.append(.mapValue(index))
            switch document.kind(at: value) {
            case .string, .null: break
            case .array: tellMap("Cannot have repeated items ('\(document.view(at: here).string ?? "")') within a map.")
            case .object: for (inner, _) in document.view(at: value).members { tell(.unknownName, inner.string ?? "") }
            case .number, .bool: tellInvalid(value, .string)
            }
            path.removeLast()
            index += 1
            key = document.key(after: here, in: map)
        }
    }

    private mutating func checkScalar(_ value: JSONPlace, _ row: ProtoField) {
        let type = row.type
        if case .string = type {
            if document.kind(at: value) != .string { tellInvalid(value, type) }
            return
        }
        let view = document.view(at: value)
        switch type {
        case .bool: if ProtoScalar.bool(view) == nil { tellInvalid(value, type) }
        case .int32: if ProtoScalar.int32(view) == nil { tellInvalid(value, type) }
        case .float: if ProtoScalar.float(view) == nil { tellInvalid(value, type) }
        case .enumeration(let names): if ProtoScalar.enumeration(view, names) == nil { tellInvalid(value, type) }
        case .duration:
            if case .failure(let fault) = ProtoScalar.duration(view) {
                tellInvalid("Field '\(row.field.camel)', \(fault.text)", type)
            }
        case .timestamp:
            if ProtoScalar.timestamp(view) == nil {
                tellInvalid("Field '\(row.field.camel)', Invalid time format: \(view.string ?? view.shown)", type)
            }
        case .string, .structure, .map, .message: break
        }
    }
}
