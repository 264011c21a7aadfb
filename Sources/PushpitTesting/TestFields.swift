/// Header fields in order, written as a literal: `["apns-topic": "com.example.app"]`. Names may repeat.
public struct TestFields: Sendable, ExpressibleByDictionaryLiteral {
    var all: [(name: String, value: String)]

    public init(dictionaryLiteral fields: (String, String)...) { all = fields.map { ($0, $1) } }

    public mutating func append(_ name: String, _ value: String) { all.append((name, value)) }

    /// These fields, followed by others.
    public func appending(_ others: TestFields) -> TestFields {
        var result = self
        result.all += others.all
        return result
    }
}
