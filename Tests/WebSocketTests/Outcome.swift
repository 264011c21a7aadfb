import TestSupport

@testable import WebSocket

/// The events that a decoder produced for an input, and the code of its error.
struct Outcome: Equatable, CustomStringConvertible {
    var events: [FrameDecoder.Event] = []
    var failure: UInt16?

    var description: String { "\(events.count) events \(events.prefix(4)), failure \(failure ?? 0)" }
}

extension ChunkingVerifier<Outcome> {
    static func frames(expectsMask: Bool = false, limit: Int = 1 << 20) -> ChunkingVerifier {
        var verifier = ChunkingVerifier { decode($0, expectsMask: expectsMask, limit: limit) }
        verifier.longestBytewise = 5000
        return verifier
    }

    private static func decode(_ chunks: [ArraySlice<UInt8>], expectsMask: Bool, limit: Int) -> Outcome {
        var decoder = FrameDecoder(expectsMask: expectsMask, messageLimit: limit)
        var outcome = Outcome()
        do throws(CloseCode) {
            for chunk in chunks {
                var offset = 0
                while let event = try decoder.next(chunk.span, from: &offset) { outcome.events.append(event) }
                precondition(offset == chunk.count, "\(offset) of \(chunk.count) bytes were read")
            }
        } catch {
            outcome.failure = error.rawValue
        }
        return outcome
    }
}
