import Compression
import FCM
import HTTPCore
import Platform
import PushCore
import Routing

@testable import Gateway

/// A compressed body of a request to Google. Gzip reads it as a second reader does, what it becomes is bounded, and the
/// gateway's answer depends neither on how the request is cut nor on the compression.
/// Options: 0 the rest is a deflate stream, which gets a header and the right sum; else 1 the rest is compressed first,
/// 2 to 3 the path, 4 the coding is called x-gzip, 5 the answer is compressed too.
func fuzzGzip(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    let body = compressed(pieces)
    for limit in [0, 100, 65_536] {
        let expected = ReferenceGzip.decompress(body, limit: limit)
        do throws(Gzip.Problem) {
            let message = try Gzip.decompress(body, limit: limit)
            demand(expected == .message(message), "zlib accepts what is \(expected) by the RFC")
        } catch {
            // At the limit zlib may find first that the message is broken, because it writes more at once.
            demand(
                expected == (error == .broken ? .broken : .tooLong) || expected == .tooLong,
                "\(error) by zlib, \(expected) by the RFC, limit \(limit)")
        }
    }
    demandAnswers(body, pieces)
}

private func compressed(_ pieces: Pieces) -> [UInt8] {
    if pieces.isSet(0) {
        guard let (output, length) = ReferenceGzip.inflate(pieces.bytes, limit: 70_000) else { return pieces.bytes }
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + pieces.bytes[..<length]
            + number(ReferenceGzip.crc(output)) + number(UInt32(output.count))
    }
    guard pieces.isSet(1), let body = Gzip.compress(pieces.bytes) else { return pieces.bytes }
    let again = try? Gzip.decompress(body, limit: pieces.bytes.count)
    demand(again == pieces.bytes, "compressed and decompressed is another")
    return body
}

private func demandAnswers(_ body: [UInt8], _ pieces: Pieces) {
    let fields = [
        ("content-encoding", pieces.isSet(4) ? "x-gzip" : "gzip"), ("content-length", "\(body.count)"),
    ]
    let bytes = request(pieces, body, fields)
    let whole = answer(to: [bytes[...]])
    // The head is one piece, because other targets cut heads.
    let cuts = [bytes.dropLast(body.count)] + pieces.cut(body)
    demand(answer(to: cuts) == whole, "another answer in pieces of \(cuts.map(\.count))")

    var encoded = Request(version: .http11, headers: HeaderBlock([.path: "/v1/projects/p/messages:send"]))
    for (name, value) in fields { encoded.headers.append(HeaderName(name), value) }
    encoded.body = body
    guard !body.isEmpty, let plain = try? GzipMessage.decoded(encoded, limit: FCMDialect.bodyLimit) else {
        demand(body.isEmpty || whole.starts(with: Array("HTTP/1.1 400 ".utf8)), "a broken body is not refused")
        return
    }
    demand(plain.headers.range(of: .contentEncoding) == nil, "the coding is still declared")
    demand(plain.headers.first(.contentLength)?.elementsEqual("\(plain.body.count)".utf8) ?? false, "another length")
    guard !plain.bodyIsOverLimit else { return }
    let limit = min(FCMDialect.bodyLimit, max(64 << 10, 100 * body.count))
    demand(plain.body.count <= limit, "\(body.count) bytes became \(plain.body.count)")
    let other = answer(to: [request(pieces, plain.body, [("content-length", "\(plain.body.count)")])[...]])
    demand(other == whole, "the plain body gets another answer")
}

private func request(_ pieces: Pieces, _ body: [UInt8], _ fields: [(String, String)]) -> [UInt8] {
    let paths = ["/v1/projects/p/messages:send", "/iid/v1:batchAdd", "/token", "/fcm/send"]
    var text = "POST \(paths[Int(pieces.options >> 2 & 3)]) HTTP/1.1\r\nhost: fcm.googleapis.com\r\n"
    text += "authorization: Bearer x\r\ncontent-type: application/json\r\n"
    if pieces.isSet(5) { text += "accept-encoding: gzip\r\nuser-agent: fuzz (gzip)\r\n" }
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8) + body
}

/// All bytes that a new gateway writes on a connection.
private func answer(to pieces: [ArraySlice<UInt8>]) -> [UInt8] {
    let gateway = Gateway(
        Configuration(), log: Log(format: .text, level: .none) { _ in },
        clock: .manual(at: Timestamp(milliseconds: 1_790_000_000_000)), seed: 1)
    let transport = CountingTransport(keeps: 1 << 20)
    let connection = gateway.accept(transport, role: .fcm)
    for piece in pieces { connection.received(Array(piece).span) }
    gateway.sweep()
    connection.drained()
    connection.close()
    return transport.head
}
