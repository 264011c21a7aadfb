internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// Reading effects from JSON: an object with one member, whose name is the kind of effect.
extension FaultEffect {
    enum Kind: String, CaseIterable {
        case answer, delay, silence, reset, resetAfterHeaders, truncate, goAway, close, blackHole, streamLimit, window,
            deliver, deliverAfter, disconnect, sticky, tls, acceptDelay, connectionLimit, firstStreamLimit, wire
    }

    /// The names of the kinds of effects.
    package static var kindNames: [String] { Kind.allCases.map(\.rawValue) }

    /// Reads one effect, or an array of effects.
    static func read(_ json: JSONView, at pointer: String) throws(ControlProblem) -> [FaultEffect] {
        guard json.kind == .array else { return try readOne(json, at: pointer) }
        var effects: [FaultEffect] = []
        for (index, element) in json.elements.enumerated() {
            effects += try readOne(element, at: "\(pointer)/\(index)")
        }
        return effects
    }

    private static func readOne(_ json: JSONView, at pointer: String) throws(ControlProblem) -> [FaultEffect] {
        let first = json.members.first { _ in true }?.key.shortened
        guard json.kind == .object, json.count == 1, let key = first, let kind = Kind(rawValue: key) else {
            throw unreadable(json, at: pointer)
        }
        var fields = try FieldReader(json, at: pointer)
        guard json[key]?.isNull == false else { throw fields.problem(key, "must not be null") }
        switch kind {
        case .answer: return [.answer(try readAnswer(&fields, key))]
        case .delay: return [.delay(try readDelay(&fields, key))]
        case .deliverAfter: return [.delayDelivery(try readDelay(&fields, key))]
        case .resetAfterHeaders: return [.cut(after: 0, try readCode(&fields, key))]
        case .truncate: return [.cut(after: try fields.int(key, 0...1 << 20) ?? 0, .internalError)]
        case .window: return [.window(UInt32(try fields.int(key, 0...65_535) ?? 0))]
        case .silence: return try fields.bool(key) == true ? [.silence] : []
        case .reset: return [.reset(try readCodes(&fields, key))]
        case .goAway: return [.goAway(try readGoAway(&fields, key))]
        case .close: return [.close(try fields.word(key, Closing.self) ?? .end)]
        case .blackHole: return try fields.bool(key) == true ? [.blackHole] : []
        case .streamLimit: return [.streamLimit(UInt32(try fields.int(key, 0...2000) ?? 1))]
        case .deliver: return [.deliver(try fields.int(key, 0...10) ?? 1)]
        case .disconnect: return try fields.bool(key) == true ? [.disconnect] : []
        case .sticky: return try fields.bool(key) == true ? [.sticky] : []
        case .tls: return [.tls(try fields.word(key, Handshake.self) ?? .alert)]
        case .acceptDelay: return [.acceptDelay(try readDelay(&fields, key))]
        case .connectionLimit: return [.connectionLimit(try fields.int(key, 0...100_000) ?? 1)]
        case .firstStreamLimit: return [.firstStreamLimit(UInt32(try fields.int(key, 0...2000) ?? 0))]
        case .wire: return try fields.word(key, NamedFault.self)?.effects ?? []
        }
    }

    /// Reads a fixed duration, a uniform range, or a log-normal distribution.
    private static func readDelay(_ fields: inout FieldReader, _ key: String) throws(ControlProblem) -> Delay {
        guard fields.kind(of: key) == .object, let json = fields.value(key) else {
            return .fixed(try fields.duration(key) ?? 0)
        }
        var inner = try FieldReader(json, at: "\(fields.pointer)/\(key)")
        let ends = try inner.strings("uniform")
        let (median, sigma) = (try inner.duration("median"), try inner.double("sigma", 0...5))
        try inner.end()
        if let median, ends == nil { return .logNormal(median: median, sigma: sigma ?? 0.5) }
        let bounds = (ends ?? []).compactMap(DurationText.milliseconds)
        if bounds.count == 2, bounds[0] > bounds[1] {
            throw fields.problem(key, "must be a range whose first duration is not longer than the second")
        }
        guard median == nil, sigma == nil, bounds.count == 2, ends?.count == 2, bounds[0] <= bounds[1] else {
            throw fields.problem(key, #"must be a duration, {"uniform":["1s","3s"]} or {"median":"1s","sigma":0.5}"#)
        }
        return .uniform(bounds[0], bounds[1])
    }

    /// Reads one error code, or several.
    private static func readCodes(_ fields: inout FieldReader, _ key: String) throws(ControlProblem) -> [HTTP2ErrorCode]
    {
        guard fields.kind(of: key) == .array else { return [try readCode(&fields, key)] }
        let names = try fields.strings(key) ?? []
        let codes = names.compactMap(HTTP2ErrorCode.init(name:))
        guard 1...4 ~= names.count, codes.count == names.count else {
            throw fields.problem(
                key, "must have one to four of the error codes \(HTTP2ErrorCode.names.joined(separator: ", "))")
        }
        return codes
    }

    private static func readCode(_ fields: inout FieldReader, _ key: String) throws(ControlProblem) -> HTTP2ErrorCode {
        let name = try fields.string(key) ?? "NO_ERROR"
        guard let code = HTTP2ErrorCode(name: name) else {
            throw fields.problem(key, notOneOf: HTTP2ErrorCode.names)
        }
        return code
    }

    private static func readGoAway(_ fields: inout FieldReader, _ key: String) throws(ControlProblem) -> GoAway {
        guard let json = fields.value(key) else { throw fields.problem(key, "must be an object") }
        var inner = try FieldReader(json, at: "\(fields.pointer)/\(key)")
        let code = try readCode(&inner, "code")
        let debug = try inner.string("debug") ?? ""
        guard debug.utf8.count <= 16_000 else { throw inner.problem("debug", "must have at most 16,000 bytes") }
        var goAway = GoAway(code: code, debug: debug)
        if inner.kind(of: "last") == .number {
            goAway.lastStream = try inner.int("last", 0...Int(StreamID.max)).map { StreamID($0) }
        } else if let word = try inner.string("last") {
            guard let last = GoAway.Last(rawValue: word) else {
                throw inner.problem(
                    "last",
                    "must be a stream number, or one of \(GoAway.Last.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            goAway.last = last
        }
        goAway.times = try inner.int("times", 1...10) ?? 1
        goAway.keepsOpen = try inner.bool("keepOpen") ?? false
        try inner.end()
        return goAway
    }

    private static func readAnswer(_ fields: inout FieldReader, _ key: String) throws(ControlProblem) -> Answer {
        guard let json = fields.value(key) else { throw fields.problem(key, "must be an object") }
        var inner = try FieldReader(json, at: "\(fields.pointer)/\(key)")
        let name = try inner.string("recorded")
        let recorded = name.flatMap(RecordedAnswer.named)
        if name != nil, recorded == nil {
            throw .bad(
                "'recorded' must be one of \(RecordedAnswer.names.joined(separator: ", ")).",
                at: "\(inner.pointer)/recorded")
        }
        let known = recorded?.response(to: Request(version: .http2), project: "").status
        guard let status = try inner.int("status", 200...599) ?? known, known == nil || known == status else {
            throw inner.problem(
                "status",
                known.map { "must be \($0), the status of the recorded answer, or left out" }
                    ?? "is required without 'recorded'")
        }
        var answer = Answer(status: status, reason: try inner.string("reason"))
        answer.recorded = recorded
        answer.body = try inner.string("body").map { Array($0.utf8) }
        answer.contentType = try inner.string("contentType")
        if answer.contentType != nil, answer.body == nil {
            throw inner.problem("contentType", "requires 'body'")
        }
        if let type = answer.contentType, !isHeaderValue(type) || type.utf8.count > 200 {
            throw inner.problem(
                "contentType",
                "must have at most 200 characters of printable ASCII, without a space at the start or end")
        }
        if let json = inner.value("headers") { answer.headers = try readHeaders(json, at: "\(inner.pointer)/headers") }
        if [204, 205, 304].contains(status), answer.reason != nil || answer.body != nil {
            throw inner.problem("status", "does not allow a body: leave out 'reason' and 'body'")
        }
        if [answer.reason != nil, answer.body != nil, recorded != nil].count(where: { $0 }) > 1 {
            throw inner.problem(
                "body", "cannot be combined with 'reason' or 'recorded', and those cannot be combined with each other")
        }
        try inner.end()
        return answer
    }
}
