/// Turns a JSON text into a flat list of nodes (the tape) in one pass.
///
/// It does not recurse: an open container stores the index of the container around it in `next`, so the tape is also
/// the stack. The bytes are passed to each step, because a span cannot be stored.
struct JSONParser {
    private enum State {
        case value
        case firstElement
        case firstKey
        case key
        case afterValue
    }

    private let limits: JSONLimits
    let dialect: JSONDialect
    var nodes: [JSONNode] = []
    var position = 0
    private var state = State.value
    /// The index of the innermost open container.
    private var container = JSONNode.none
    private var depth = 0

    init(limits: JSONLimits, dialect: JSONDialect) {
        self.limits = limits
        self.dialect = dialect
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(JSONError) {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONError(.tooLong, at: limits.maximumBytes, isAtEnd: false)
        }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw failure(.byteOrderMark, bytes)
        }
        // Enough for a push, which has about one node for ten bytes. For a longer text, the array grows during parsing.
        nodes.reserveCapacity(min(bytes.count / 8, 1024) + 4)
        while true {
            skipWhitespace(bytes)
            switch state {
            case .value:
                try parseValue(bytes, expecting: .expectedValue)
            case .firstElement:
                if byte(bytes) == UInt8(ascii: "]") {
                    close()
                } else {
                    try parseValue(bytes, expecting: .expectedValueOrArrayEnd)
                }
            case .firstKey:
                if byte(bytes) == UInt8(ascii: "}") {
                    close()
                } else {
                    try parseKey(bytes, expecting: .expectedKeyOrObjectEnd)
                }
            case .key:
                try parseKey(bytes, expecting: .expectedKey)
            case .afterValue:
                guard container != JSONNode.none else {
                    guard position == bytes.count else { throw failure(.expectedEnd, bytes) }
                    return
                }
                try parseSeparator(bytes)
            }
        }
    }

    /// The byte at the current position; nil at the end of the text.
    func byte(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    func failure(_ reason: JSONErrorReason, _ bytes: Span<UInt8>) -> JSONError {
        JSONError(reason, at: position, isAtEnd: position == bytes.count)
    }

    private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func parseValue(
        _ bytes: Span<UInt8>, expecting reason: JSONErrorReason
    ) throws(JSONError) {
        guard let first = byte(bytes) else { throw failure(reason, bytes) }
        switch first {
        case UInt8(ascii: "{"): return try open(.object, bytes, then: .firstKey)
        case UInt8(ascii: "["): return try open(.array, bytes, then: .firstElement)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber(bytes)
        case UInt8(ascii: "t"): try parseLiteral("true", .bool, bytes)
        case UInt8(ascii: "f"): try parseLiteral("false", .bool, bytes)
        case UInt8(ascii: "n"): try parseLiteral("null", .null, bytes)
        case UInt8(ascii: "+"), UInt8(ascii: "."): throw failure(.invalidNumber, bytes)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            throw failure(.unknownLiteral, bytes)
        default:
            switch dialect {
            case .rfc8259:
                guard first == UInt8(ascii: "\"") else { throw failure(reason, bytes) }
            case .google:
                guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else { throw failure(reason, bytes) }
            }
            try parseString(bytes)
        }
        countValue()
        state = .afterValue
    }

    private mutating func parseKey(
        _ bytes: Span<UInt8>, expecting reason: JSONErrorReason
    ) throws(JSONError) {
        switch dialect {
        case .rfc8259:
            guard byte(bytes) == UInt8(ascii: "\"") else { throw failure(reason, bytes) }
            try parseString(bytes)
        case .google:
            if byte(bytes) == UInt8(ascii: "\"") || byte(bytes) == UInt8(ascii: "'") {
                try parseString(bytes)
            } else if !parseBareKey(bytes) {
                throw failure(reason, bytes)
            }
        }
        skipWhitespace(bytes)
        guard byte(bytes) == UInt8(ascii: ":") else { throw failure(.expectedColon, bytes) }
        position += 1
        state = .value
    }

    private mutating func parseSeparator(_ bytes: Span<UInt8>) throws(JSONError) {
        let isObject = nodes[Int(container)].kind == .object
        switch byte(bytes) {
        case UInt8(ascii: ","):
            position += 1
            switch dialect {
            case .rfc8259: state = isObject ? .key : .value
            case .google: state = isObject ? .firstKey : .firstElement
            }
        case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
            close()
        default:
            throw failure(isObject ? .expectedCommaOrObjectEnd : .expectedCommaOrArrayEnd, bytes)
        }
    }

    private mutating func open(
        _ kind: JSONKind, _ bytes: Span<UInt8>, then first: State
    ) throws(JSONError) {
        guard depth < limits.maximumDepth else { throw failure(.tooDeep, bytes) }
        depth += 1
        countValue()
        nodes.append(JSONNode(kind: kind, start: UInt32(position), next: container))
        container = UInt32(nodes.count - 1)
        position += 1
        state = first
    }

    private mutating func close() {
        position += 1
        depth -= 1
        let closed = Int(container)
        container = nodes[closed].next
        nodes[closed].end = UInt32(position)
        nodes[closed].next = UInt32(nodes.count)
        state = .afterValue
    }

    private mutating func countValue() {
        if container != JSONNode.none { nodes[Int(container)].count += 1 }
    }

    /// Appends a value that contains no others and ends at the current position.
    mutating func appendScalar(_ kind: JSONKind, flags: JSONNode.Flags = [], from start: Int) {
        nodes.append(
            JSONNode(
                kind: kind, flags: flags, start: UInt32(start), end: UInt32(position),
                next: UInt32(nodes.count + 1)))
    }
}
