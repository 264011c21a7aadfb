import HTTPCore
import JSON
import PushCore

@testable import FCM

private let now = Timestamp(milliseconds: 1_790_000_000_000)

/// A query, the value of `authorization`, and that of `x-goog-api-format-version`, a line each. Whatever they say, a
/// message is answered with JSON, and a mask selects a part of an answer.
func fuzzGoogleQuery(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
    let text = String(decoding: lines[0], as: UTF8.self)
    demandPairs(lines[0])
    for policy in [FCMPolicy(requiresCredentials: false), FCMPolicy(requiresKnownBearers: true)] {
        let call = FCMDialect.Call(request(lines), project: "p", at: now)
        var (memo, random, again) = (FCMRequestCache(), Random(seed: 1), Random(seed: 1))
        let dialect = FCMDialect(policy)
        let first = dialect.decide(call, BearerBook(), &memo, known: { _, _ in nil }, using: &random)
        let second = dialect.decide(call, BearerBook(), &memo, known: { _, _ in nil }, using: &again)
        let status = first.answer.response.status
        demand([200, 400, 401, 403].contains(status), "status \(status)")
        demand((first.reason == nil) == (status == 200), "\(first.reason ?? "no reason") with status \(status)")
        demand((first.delivery != nil) == (status == 200), "delivered with status \(status), or not")
        demand(body(first) == body(second), "another answer the second time")
        guard let answer = try? JSONDocument(parsing: body(first)) else {
            demand(false, "no JSON: \(String(decoding: body(first), as: UTF8.self))")
            return
        }
        if status == 200 {
            demand(answer.root.members.allSatisfy { $0.key.equals("name") }, "more than the name of the message")
        } else {
            demand(answer.root["error"] != nil, "no error")
        }
        if !call.query.isPretty { demand(!body(first).contains(0x0A), "an indented answer") }
    }
    demandMask(text)
}

private func request(_ lines: [[UInt8]]) -> Request {
    var block = HeaderBlock([.method: "POST", .scheme: "https", .authority: "localhost"])
    block.append(.path, (Array("/v1/projects/p/messages:send?".utf8) + lines[0])[...])
    if lines.count > 1, !lines[1].isEmpty { block.append(.authorization, lines[1][...]) }
    if lines.count > 2 { block.append(HeaderName("x-goog-api-format-version"), lines[2][...]) }
    var request = Request(version: .http2, headers: block)
    request.body = Array(#"{"message":{"topic":"a"}}"#.utf8)
    return request
}

private func body(_ outcome: borrowing FCMDialect.Outcome) -> [UInt8] {
    guard case .bytes(let body) = outcome.answer.response.body else { return [] }
    return body
}

/// Names and values that were encoded again are the same.
private func demandPairs(_ query: [UInt8]) {
    let pairs = PercentCode.pairs(query[...])
    func encode(_ text: String) -> String { text.utf8.map { "%" + Hex.encode([$0]) }.joined() }
    let encoded = pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    let again = PercentCode.pairs(Array(encoded.utf8)[...])
    demand(again.elementsEqual(pairs) { $0 == $1 }, "\(pairs) is read back as \(again)")
}

private let page = #"""
    {"name":"n","topicSubscriptions":[{"name":"a","topicName":"t","createTime":"x"},{"name":"b","topicName":"u"}],\#
    "nextPageToken":"z","data":{"a":"1","b":"2"},"deep":{"a":{"a":{"a":[1,{"b":null}]}}},"list":[[],[{"a":true}]]}
    """#

private func demandMask(_ text: String) {
    guard let mask = FieldMask(text), let whole = try? JSONDocument(parsing: Array(page.utf8)).root else { return }
    for shape in [AnswerShape.message(.message), .message(.topicSubscription), .subscriptions, .nothing, .anything] {
        if let path = mask.unknownPath(in: shape) { demand(!path.isEmpty, "an unknown path without a name") }
    }
    func masked(_ value: JSONView) -> JSONView? {
        var json = JSONWriter()
        mask.write(value, to: &json)
        return (try? JSONDocument(parsing: json.finish()))?.root
    }
    guard let part = masked(whole) else { return demand(false, "no JSON under the mask \(text)") }
    demand(isPart(part, of: whole), "not a part of the answer under the mask \(text)")
    let again = masked(part)
    demand(again.map { $0.source.elementsEqual(part.source) } ?? false, "another part the second time")
}

private func isPart(_ part: JSONView, of whole: JSONView) -> Bool {
    guard part.kind == whole.kind else { return false }
    switch part.kind {
    case .object:
        return part.members.allSatisfy { key, value in
            key.string.flatMap { whole[$0] }.map { isPart(value, of: $0) } ?? false
        }
    case .array:
        return part.count == whole.count && zip(part.elements, whole.elements).allSatisfy { isPart($0, of: $1) }
    case .null, .bool, .number, .string: return part.source.elementsEqual(whole.source)
    }
}
