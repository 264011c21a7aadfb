internal import JSON
internal import Patterns
internal import PushCore

/// What a filter wants of a text: the whole text, its beginning, or a regular expression that a part of it matches.
enum WantedText {
    case whole(String)
    case beginning(String)
    case regex(RegularExpression)

    /// Reads a string, `{"prefix":"…"}` or `{"regex":"…"}`. Nil if the value is something else.
    init?(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        if let text = json.string {
            self = .whole(text)
            return
        }
        guard json.kind == .object, json.count == 1 else { return nil }
        if let text = json["prefix"]?.string {
            self = .beginning(text)
        } else if let text = json["regex"]?.string {
            do throws(RegularExpression.Problem) { self = .regex(try RegularExpression(text)) } catch {
                throw .bad(
                    "The regular expression \(text.quoted) cannot be used: \(error.sentence).", at: "\(pointer)/regex")
            }
        } else {
            return nil
        }
    }

    var test: TextTest {
        switch self {
        case .whole(let text): .equal(text)
        case .beginning(let text): .beginsWith(text)
        case .regex(let expression): .matches(expression)
        }
    }

    /// The text as it is written in a filter.
    var shown: JSONValue {
        switch self {
        case .whole(let text): .string(text)
        case .beginning(let text): .object([("prefix", .string(text))])
        case .regex(let expression): .object([("regex", .string(expression.source))])
        }
    }

    /// The length of the wanted text or of the regular expression, in bytes.
    var length: Int {
        switch self {
        case .whole(let text), .beginning(let text): text.utf8.count
        case .regex(let expression): expression.source.utf8.count
        }
    }

    /// Whether this is a beginning or a regular expression, and not a whole text.
    var isPattern: Bool {
        switch self {
        case .whole: false
        case .beginning, .regex: true
        }
    }
}
