internal import HTTPCore
internal import JSON
internal import Patterns
package import PushCore

/// The filter for pushes in lists and in `expect`, and for events in `expect` (docs/api.md). Unset fields match everything.
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

    /// The conditions with regular expressions come last, because they take long.
    private(set) var conditions: [Condition] = []
    private(set) var since: Bound?
    private(set) var until: Bound?
    /// The value of the filter `text`, which a string in the body must contain.
    private(set) var pattern: TextPattern?
    /// The device, if the filter names one and not only a part of its id.
    private(set) var device: String?
    /// Whether events are counted instead of pushes.
    private(set) var isAboutEvents = false
    /// A fast check that excludes most messages.
    private(set) var prefilter = Prefilter()
    /// The number of steps of all its regular expressions together.
    package private(set) var size = 0

    /// The longest value in bytes, and the largest number of headers or pointers. They are limited because a filter is
    /// compared with every push.
    private static let longestValue = 1000
    private static let maximumCount = 32
    /// The largest `size`. Each character of a text that is searched costs up to that many steps.
    package static let maximumSize = 1000

    package init() {}

    package var matchesEverything: Bool { conditions.isEmpty && since == nil && until == nil && !isAboutEvents }

    /// The number of its conditions.
    package var count: Int { conditions.count }

    /// Events up to this number cannot match.
    var start: UInt64 { if case .seq(let seq) = since { seq } else { 0 } }

    package mutating func add(_ field: Field, _ wanted: String) throws(ControlProblem) {
        try add(field, .whole(wanted))
    }

    mutating func add(_ field: Field, _ wanted: WantedText) throws(ControlProblem) {
        if field == .device { prefilter.subject = .pushOnDevice }
        guard case .whole(let text) = wanted else { return try add(.field(field), wanted, at: "/\(field.rawValue)") }
        try Self.check(text, for: field)
        // APNs tokens are case-insensitive.
        let isHex = field == .token && text.utf8.allSatisfy(\.isHexDigit)
        let normal = isHex ? text.lowercased() : text
        let test: TextTest
        switch field {
        case .apnsID, .apnsUniqueID: test = .equalIgnoringCase(normal)
        case .name: test = .equalOrEnding(normal, "/messages/\(normal)")
        case .text: test = .contains(TextPattern(normal))
        case .provider, .app, .token, .device, .topic, .pushType, .outcome, .status, .reason, .rule:
            test = .equal(normal)
        }
        try add(.field(field), .text(test), shown: .string(normal), length: text.utf8.count, at: "/\(field.rawValue)")
        switch field {
        case .app: prefilter.app = normal.hashValue
        case .token: prefilter.token = normal.hashValue
        case .topic: prefilter.topic = normal.hashValue
        case .outcome: prefilter.isAccepted = normal == "accepted"
        case .text: if case .contains(let pattern) = test { self.pattern = pattern }
        case .device: device = normal
        case .provider, .apnsID, .apnsUniqueID, .name, .pushType, .status, .reason, .rule: break
        }
    }

    private static func check(_ wanted: String, for field: Field) throws(ControlProblem) {
        let words: [String]? =
            switch field {
            case .provider: Provider.allCases.map(\.rawValue)
            case .outcome: ["accepted", "refused"]
            default: nil
            }
        guard wanted.utf8.count <= longestValue else { throw tooLong("/\(field.rawValue)") }
        if let words, !words.contains(wanted) {
            let guess = ControlProblem.guess(wanted, words).map { " \($0)" } ?? ""
            throw .bad(
                "'\(field.rawValue)' must be one of \(words.joined(separator: ", ")); it is \(wanted.quoted).\(guess)",
                at: "/\(field.rawValue)")
        }
        if field == .status, Int(wanted).map({ 0...999 ~= $0 }) != true {
            throw .bad("'status' must be a status such as 200; it is \(wanted.quoted).", at: "/status")
        }
    }

    private static func tooLong(_ pointer: String) -> ControlProblem {
        .bad("A value in a filter may have at most \(longestValue) bytes.", at: pointer)
    }

    /// Adds a condition for a text.
    mutating func add(_ place: Place, _ wanted: WantedText, at pointer: String) throws(ControlProblem) {
        try add(place, .text(wanted.test), shown: wanted.shown, length: wanted.length, at: pointer)
    }

    /// - Parameters:
    ///   - length: the bytes of the wanted text.
    ///   - pointer: the place for errors.
    mutating func add(
        _ place: Place, _ wanted: Wanted, shown: JSONValue, length: Int, at pointer: String
    ) throws(ControlProblem) {
        guard length &+ place.length <= Self.longestValue else { throw Self.tooLong(pointer) }
        if let group = place.group, conditions.count(where: { $0.place.group == group }) >= Self.maximumCount {
            throw .bad("A filter may have at most \(Self.maximumCount) \(group).", at: pointer)
        }
        let condition = Condition(place: place, wanted: wanted, shown: shown)
        guard case .text(let test) = wanted, test.size > 0 else {
            let index = conditions.firstIndex { $0.isCostly } ?? conditions.count
            return conditions.insert(condition, at: index)
        }
        size &+= test.size
        guard size <= Self.maximumSize else { throw Self.tooLarge(size, at: pointer) }
        conditions.append(condition)
    }

    package static func tooLarge(_ size: Int, at pointer: String) -> ControlProblem {
        .bad(
            "The regular expressions of one call may take \(maximumSize) steps together, but with this one they take \(size). "
                + "A repetition takes many steps: a{1,500} takes 1000.", at: pointer)
    }

    /// From now on, events are counted instead of pushes.
    mutating func countEvents(of kind: Event.Kind?) {
        isAboutEvents = true
        prefilter.subject = kind.map(Prefilter.Subject.event) ?? .anyEvent
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

    /// The same filter, but only for what comes after this event.
    func after(_ seq: UInt64) -> MessageFilter {
        guard start < seq else { return self }
        var filter = self
        filter.since = .seq(seq)
        filter.prefilter.after = seq
        return filter
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { 0x30...0x39 ~= self || 0x61...0x66 ~= self | 0x20 }
}
