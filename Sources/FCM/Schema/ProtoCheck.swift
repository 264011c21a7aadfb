internal import JSON
internal import PushCore

/// Converts JSON to a message type as Google's API servers do, and finds all faults (docs/evidence/fcm.md §2.2 and
/// §2.3).
///
/// It copies no values: the result records where in the JSON the value of each field is.
struct ProtoCheck {
    struct Violation: Sendable, Equatable {
        /// Nil at the root.
        let field: String?
        let description: String
        /// The offset of the fault in the text; nil if the fault has no position.
        var offset: Int?
        /// What would be right, in Pushpit's words; it is not part of Google's answer.
        var remedy: String?

        static func == (one: Violation, other: Violation) -> Bool {
            one.field == other.field && one.description == other.description
        }
    }

    var violations: [Violation] = []
    /// What unknown names probably stand for.
    var suggestions: [Finding] = []
    let document: JSONDocument
    private let name: FCMSchema.MessageType
    /// See `ProtoDocument.slots`.
    private var slots: [Int32] = []
    var path: [Step] = []
    /// The key or value that is being checked.
    var place: JSONPlace

    enum Step {
        case field(FCMField)
        case entry(Int)
        case mapValue(Int)
    }

    /// The maximum number of faults that are reported for one text.
    static let maximumViolations = 1000
    /// The number of slots that a message with a block for each platform needs.
    private static let typicalSlotCount = 128

    init(_ document: JSONDocument, as name: FCMSchema.MessageType) {
        self.document = document
        self.name = name
        let root = document.rootPlace
        place = root
        slots.reserveCapacity(Self.typicalSlotCount)
        if document.kind(at: root) == .object {
            _ = check(object: root, name)
        } else {
            report(.rootNotMessage, "", remedy: ProtoType.message(name).remedy)
        }
    }

    /// The converted message; nil if there are faults.
    var view: ProtoView? {
        violations.isEmpty ? ProtoView(ProtoDocument(document, slots: slots), as: name) : nil
    }

    /// Checks a message and returns the position in `slots` at which it begins.
    private mutating func check(object: JSONPlace, _ name: FCMSchema.MessageType) -> Int32 {
        let base = slots.count
        let count = FCMSchema.count(of: name)
        slots.append(Int32(object.index))
        for _ in 0..<count { slots.append(-1) }
        var chosen: FCMField?
        var key = document.firstKey(in: object)
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            if let index = fieldIndex(at: here, in: name) {
                slots[base + 1 + index] = -1
                if document.kind(at: value) != .null {
                    let row = FCMSchema.field(index, of: name)
                    if row.isInOneof {
                        if let chosen, chosen != row.field { reportOneof(FCMSchema[name].oneof ?? "", row.field) }
                        chosen = row.field
                    }
                    let slot = check(value, row)
                    slots[base + 1 + index] = isUnset(value, row) ? -1 : slot
                }
            } else {
                let key = document.view(at: here).string ?? ""
                report(.unknownName, key)
                suggest(key, value, in: name)
            }
            key = document.key(after: here, in: object)
        }
        return Int32(base)
    }

    /// Whether the value is an empty text, which in proto3 is the same as no value. In a oneof it counts as set.
    private func isUnset(_ value: JSONPlace, _ row: ProtoField) -> Bool {
        guard document.kind(at: value) == .string, case .string = row.type, !row.isInOneof, !row.isRepeated else {
            return false
        }
        return document.utf8Count(at: value) == 0
    }

    private func fieldIndex(at key: JSONPlace, in name: FCMSchema.MessageType) -> Int? {
        guard let range = document.plainRange(at: key) else {
            let decoded = Array(document.view(at: key).utf8 ?? [])
            return FCMSchema.index(of: decoded.span, in: name)
        }
        let bytes = document.bytes
        return FCMSchema.index(of: bytes.span.extracting(range), in: name)
    }

    /// Checks the value of a field and returns the content of the field's slot.
    private mutating func check(_ value: JSONPlace, _ row: ProtoField) -> Int32 {
        let kind = document.kind(at: value)
        let slot = Int32(value.index)
        if kind == .array {
            if row.isRepeated { checkList(value, row) } else { refuseList(row) }
            return slot
        }
        if kind == .object, row.type.isScalar {
            report(.objectOnScalar, row.field.snake, remedy: row.type.remedy)
            return slot
        }
        path.append(.field(row.field))
        defer { path.removeLast() }
        switch (row.type, kind) {
        case (.message(let name), .object): return check(object: value, name)
        case (.map, .object): checkMap(value)
        case (.structure, .object): break
        case (.message, _), (.map, _), (.structure, _): reportInvalid(value, row.type)
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

    /// Reports a list as the value of a field that is not repeated.
    private mutating func refuseList(_ row: ProtoField) {
        if case .map = row.type {
            reportMap("Cannot bind a list to map for field '\(row.field.snake)'.")
        } else {
            report(.listOnSingle, row.field.snake, remedy: "Use a single value instead of a list. \(row.type.remedy)")
        }
    }

    private mutating func checkMap(_ map: JSONPlace) {
        var (index, key) = (0, document.firstKey(in: map))
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            path.append(.mapValue(index))
            switch document.kind(at: value) {
            case .string, .null: break
            case .array:
                reportMap("Cannot have repeated items ('\(document.view(at: here).string ?? "")') within a map.")
            case .object:
                for (inner, _) in document.view(at: value).members {
                    report(.unknownName, inner.string ?? "", remedy: ProtoType.mapRemedy)
                }
            case .number, .bool: reportInvalid(value, .string, remedy: ProtoType.mapRemedy)
            }
            path.removeLast()
            index += 1
            key = document.key(after: here, in: map)
        }
    }

    private mutating func checkScalar(_ value: JSONPlace, _ row: ProtoField) {
        let type = row.type
        if case .string = type {
            if document.kind(at: value) != .string { reportInvalid(value, type) }
            return
        }
        let view = document.view(at: value)
        switch type {
        case .bool: if ProtoScalar.bool(view) == nil { reportInvalid(value, type) }
        case .int32: if ProtoScalar.int32(view) == nil { reportInvalid(value, type) }
        case .float: if ProtoScalar.float(view) == nil { reportInvalid(value, type) }
        case .enumeration(let names): if ProtoScalar.enumeration(view, names) == nil { reportInvalid(value, type) }
        case .duration:
            if case .failure(let fault) = ProtoScalar.duration(view) {
                reportInvalid("Field '\(row.field.camel)', \(fault.text)", type)
            }
        case .timestamp:
            if ProtoScalar.timestamp(view) == nil {
                reportInvalid("Field '\(row.field.camel)', Invalid time format: \(view.string ?? view.shown)", type)
            }
        case .string, .structure, .map, .message: break
        }
    }
}
