import JSON
import Testing

/// A text that is not JSON, with the expected reason and offset.
struct Refusal: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let reason: JSONErrorReason
    let offset: Int
    /// The text ended too early.
    var isAtEnd: Bool { offset == bytes.count && reason != .tooLong }

    init(_ text: String, _ reason: JSONErrorReason, _ offset: Int) {
        self.init(bytes: Array(text.utf8), reason, offset)
    }

    init(bytes: [UInt8], _ reason: JSONErrorReason, _ offset: Int) {
        self.bytes = bytes
        self.reason = reason
        self.offset = offset
    }

    var testDescription: String { "\(String(decoding: bytes, as: UTF8.self)): \(reason) at \(offset)" }

    func check(_ limits: JSONLimits = JSONLimits(), at location: SourceLocation = #_sourceLocation) {
        #expect(throws: JSONError(reason, at: offset, isAtEnd: isAtEnd), sourceLocation: location) {
            try JSONDocument(parsing: bytes, limits: limits)
        }
    }
}

func parse(_ text: String) throws -> JSONView { try JSONDocument(parsing: Array(text.utf8)).root }
