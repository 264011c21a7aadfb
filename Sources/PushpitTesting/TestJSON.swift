internal import JSON

/// A JSON value in a test: written as a literal, read by key.
///
/// Reading a missing value gives null, so a test can compare without unwrapping:
/// `#expect(answer.json["error"]["pointer"] == "/app")`.
public struct TestJSON: Sendable, Equatable {
    let value: JSONValue

    init(value: JSONValue) { self.value = value }

    /// Parses text; throws if it is not JSON.
    public init(parsing bytes: [UInt8]) throws {
        do { value = JSONValue(try JSONDocument(parsing: bytes).root) } catch {
            throw TestFailure(.notJSON, "not JSON: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
    }

    /// The value of a member; null if it is missing or this is not an object.
    public subscript(key: String) -> TestJSON { TestJSON(value: value[key] ?? .null) }

    /// An element of an array; null if it does not exist.
    public subscript(position: Int) -> TestJSON {
        let elements = array
        return elements.indices.contains(position) ? elements[position] : nil
    }

    public var isNull: Bool { value == .null }

    public var string: String? { if case .string(let text) = value { text } else { nil } }
    /// Not inlined, because the optimizer of Swift 6.3.1 crashes on `TestEvent.init` if it is.
    @inline(never)
    public var int: Int? { if case .int(let number) = value { Int(number) } else { nil } }
    public var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }

    /// The elements of an array; empty for anything else.
    public var array: [TestJSON] {
        if case .array(let elements) = value { elements.map { TestJSON(value: $0) } } else { [] }
    }

    /// The keys of an object in their order; empty for anything else.
    public var keys: [String] { if case .object(let members) = value { members.map(\.key) } else { [] } }

    /// This object with the members of another, which replace members with the same key.
    public func merging(_ other: TestJSON) -> TestJSON {
        guard case .object(var members) = value, case .object(let added) = other.value else { return other }
        for member in added {
            if let place = members.firstIndex(where: { $0.key == member.key }) {
                members[place] = member
            } else {
                members.append(member)
            }
        }
        return TestJSON(value: .object(members))
    }

    /// The encoded JSON, without white space, with the members in order.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.finish()
    }
}

extension TestJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { value = .null }
    public init(booleanLiteral flag: Bool) { value = .bool(flag) }
    public init(integerLiteral number: Int64) { value = .int(number) }
    public init(floatLiteral number: Double) { value = .double(number) }
    public init(stringLiteral text: String) { value = .string(text) }
    public init(arrayLiteral elements: TestJSON...) { value = .array(elements.map(\.value)) }
    public init(dictionaryLiteral members: (String, TestJSON)...) {
        value = .object(members.map { ($0, $1.value) })
    }

    public init(_ text: String) { value = .string(text) }
    public init(_ number: Int) { value = .int(Int64(number)) }
    public init(_ flag: Bool) { value = .bool(flag) }
    public init(members: [(key: String, value: TestJSON)]) { value = .object(members.map { ($0.key, $0.value.value) }) }
    public init(_ elements: [TestJSON]) { value = .array(elements.map(\.value)) }
}

extension TestJSON: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
