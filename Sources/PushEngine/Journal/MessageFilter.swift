internal import HTTPCore
internal import JSON
package import PushCore

/// The filter for pushes in lists and in `expect` (docs/api.md). Unset fields match everything.
package struct MessageFilter {
    package enum Field: String, CaseIterable {
        case provider, app
        case apnsID = "apnsId"
        case apnsUniqueID = "apnsUniqueId"
        case name, token, device, topic, pushType, outcome, status, reason, rule, text

        /// The fields that name a push by an id from its answer.
        package static let ids: [Field] = [.apnsID, .apnsUniqueID, .name]
    }

    /// A time or an event number.
    enum Bound: Equatable {
        case time(Timestamp)
        case seq(UInt64)

        init?(_ text: String) {
            if let seq = UInt64(text) {
                self = .seq(seq)
            } else if let time = Timestamp(parsing: text) {
                self = .time(time)
            } else {
                return nil
            }
        }
    }

    /// One way in which a message does not match.
    package struct Difference {
        let at: String
        let expected: JSONValue
        /// Nil if the message has no such value.
        let got: JSONValue?
    }

    private(set) var fields: [(field: Field, wanted: String)] = []
    private(set) var since: Bound?
    private(set) var until: Bound?
    private(set) var headers: [(name: String, wanted: String)] = []
    /// Each pointer must have one of these values.
    private(set) var body: [(pointer: JSONPointer, wanted: [JSONValue])] = []
    /// The value of the filter `text`, which a string in the body must contain.
    private(set) var pattern: TextPattern?
    /// A fast check that excludes most messages.
    private(set) var prefilter = Prefilter()

    /// The part of the filter that needs only the numbers in a journal row. It is checked for every push and every
    /// waiting `expect`, of which there may be thousands.
    struct Prefilter {
        fileprivate var app: Int?
        fileprivate var token: Int?
        fileprivate var topic: Int?
        fileprivate var isAccepted: Bool?
        fileprivate var after: UInt64 = 0
        fileprivate var upTo = UInt64.max

        /// False if the push cannot match; true if the full filter must decide.
        func mayMatch(_ row: Journal.Row) -> Bool {
            if let app, app != row.app, app != row.project { return false }
            if let token, token != row.token { return false }
            if let topic, topic != row.topic { return false }
            if let isAccepted, isAccepted != row.isAccepted { return false }
            return row.seq > after && row.seq <= upTo
        }
    }

    package init() {}

    package var matchesEverything: Bool {
        fields.isEmpty && since == nil && until == nil && headers.isEmpty && body.isEmpty
    }

    var device: String? { fields.first { $0.field == .device }?.wanted }

    package mutating func add(_ field: Field, _ wanted: String) throws(ControlProblem) {
        let words: [String]? =
            switch field {
            case .provider: Provider.allCases.map(\.rawValue)
            case .outcome: ["accepted", "refused"]
            default: nil
            }
        guard wanted.utf8.count <= Self.longestValue else { throw Self.tooLong("/\(field.rawValue)") }
        if let words, !words.contains(wanted) {
            let guess = ControlProblem.guess(wanted, words).map { " \($0)" } ?? ""
            throw .bad(
                "'\(field.rawValue)' must be one of \(words.joined(separator: ", ")); it is \(wanted.quoted).\(guess)",
                at: "/\(field.rawValue)")
        }
        if field == .status, Int(wanted).map({ 0...999 ~= $0 }) != true {
            throw .bad("'status' must be a status such as 200; it is \(wanted.quoted).", at: "/status")
        }
        // APNs tokens are case-insensitive.
        let wanted = field == .token && wanted.utf8.allSatisfy(\.isHexDigit) ? wanted.lowercased() : wanted
        switch field {
        case .app: prefilter.app = wanted.hashValue
        case .token: prefilter.token = wanted.hashValue
        case .topic: prefilter.topic = wanted.hashValue
        case .outcome: prefilter.isAccepted = wanted == "accepted"
        case .text: pattern = TextPattern(wanted)
        default: break
        }
        fields.append((field, wanted))
    }

    /// The longest value in bytes, and the largest number of headers or pointers. A filter is compared with every push.
    private static let longestValue = 1000
    private static let maximumCount = 32

    private static func tooLong(_ pointer: String) -> ControlProblem {
        .bad("A value in a filter has at most \(longestValue) bytes.", at: pointer)
    }

    private static func tooMany(_ what: String, _ pointer: String) -> ControlProblem {
        .bad("A filter has at most \(maximumCount) \(what).", at: pointer)
    }

    mutating func add(header name: String, _ wanted: String, under parent: String) throws(ControlProblem) {
        guard headers.count < Self.maximumCount else { throw Self.tooMany("headers", "\(parent)/headers") }
        guard name.utf8.count + wanted.utf8.count <= Self.longestValue else { throw Self.tooLong("\(parent)/headers") }
        headers.append((name.lowercased(), wanted))
    }

    mutating func add(pointer text: String, _ wanted: [JSONValue], under parent: String = "") throws(ControlProblem) {
        guard let pointer = JSONPointer(text) else {
            throw .bad(
                "'\(text.prefix(100))' is not a JSON pointer. A pointer begins with '/', for example /aps/alert/title.",
                at: "\(parent)/body")
        }
        guard body.count < Self.maximumCount else { throw Self.tooMany("pointers", "\(parent)/body") }
        guard text.utf8.count <= Self.longestValue else { throw Self.tooLong("\(parent)/body") }
        body.append((pointer, wanted))
    }

    mutating func bound(since: String?, until: String?, under parent: String = "") throws(ControlProblem) {
        func read(_ text: String?, _ name: String) throws(ControlProblem) -> Bound? {
            guard let text else { return nil }
            guard let bound = Bound(text) else {
                throw .bad(
                    "'\(name)' must be a time such as 2026-11-21T04:05:06.789Z, or an event number.",
                    at: "\(parent)/\(name)")
            }
            return bound
        }
        self.since = try read(since, "since")
        self.until = try read(until, "until")
        if case .seq(let seq) = self.since { prefilter.after = seq }
        if case .seq(let seq) = self.until { prefilter.upTo = seq }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { 0x30...0x39 ~= self || 0x61...0x66 ~= self | 0x20 }
}
