import WebSocket

/// Frames are the same however they are cut, and a message goes through the encoder and back.
/// Options: 0 frames are masked, 1 a small limit.
func fuzzFrames(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    let limit = pieces.isSet(1) ? 20 : 1 << 20
    Trace.demandSame(pieces) { readFrames($0, expectsMask: pieces.isSet(0), limit: limit) }
}

private func readFrames(_ pieces: [ArraySlice<UInt8>], expectsMask: Bool, limit: Int) -> Trace {
    var decoder = FrameDecoder(expectsMask: expectsMask, messageLimit: limit)
    var trace = Trace()
    do throws(CloseCode) {
        for piece in pieces {
            let piece = Array(piece)
            var offset = 0
            while let event = try decoder.next(piece.span, from: &offset) {
                if case .message(let opcode, let bytes) = event {
                    demand(
                        bytes.count <= limit, "a message of \(bytes.count) bytes over the limit of \(limit)")
                    let isText = String(validating: bytes, as: UTF8.self) != nil
                    demand(opcode != .text || isText, "a text that is no UTF-8")
                }
                trace.add("\(event)")
            }
            demand(offset == piece.count, "nil with \(piece.count - offset) bytes left")
        }
        trace.end()
    } catch {
        demand(error.rawValue >= 1002 && error.rawValue <= 1009, "an error of code \(error.rawValue)")
        trace.end("failed \(error.rawValue)")
    }
    return trace
}

/// Three lines: key, version, offered subprotocols; a missing line is a missing field.
func fuzzHandshake(_ input: [UInt8]) {
    let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    func line(_ index: Int) -> ArraySlice<UInt8>? { index < lines.count ? lines[index] : nil }
    let verdict = Handshake.judge(key: line(0), version: line(1), offered: line(2), speaks: "pushpit")
    switch verdict {
    case .accept(let key, let subprotocol):
        demand(key.utf8.count == 28 && key.hasSuffix("="), "the accepted key \(key)")
        demand(
            line(0)?.count == 24 && line(1).map(Array.init) == Array("13".utf8),
            "accepted without key or version")
        demand(subprotocol == nil || subprotocol == "pushpit", "the subprotocol \(subprotocol ?? "")")
    case .refuse(let status, let reason):
        demand([400, 426].contains(status) && !reason.isEmpty, "refused with \(status)")
    }
}
