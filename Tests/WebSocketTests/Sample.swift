import Testing

@testable import WebSocket

/// An input and the expected outcome.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let events: [FrameDecoder.Event]
    let failure: CloseCode?

    init(
        _ name: String, _ input: [UInt8]..., gives events: [FrameDecoder.Event] = [],
        fails failure: CloseCode? = nil
    ) {
        self.name = name
        self.input = Array(input.joined())
        self.events = events
        self.failure = failure
    }

    var testDescription: String { name }
    var outcome: Outcome { Outcome(events: events, failure: failure?.rawValue) }
}

/// An unmasked frame, written without `FrameEncoder` so that the tests do not depend on it.
func frame(_ opcode: UInt8, _ payload: some Collection<UInt8>, final: Bool = true, reserved: UInt8 = 0)
    -> [UInt8]
{
    let count = payload.count
    var bytes = [(final ? 0x80 : 0) | reserved << 4 | opcode]
    if count < 126 {
        bytes.append(UInt8(count))
    } else if count < 65_536 {
        bytes += [126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
        bytes += [
            127, 0, 0, 0, 0, UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255),
            UInt8(count & 255),
        ]
    }
    return bytes + payload
}

func text(_ payload: String, final: Bool = true) -> [UInt8] { frame(1, payload.utf8, final: final) }
func more(_ payload: String, final: Bool = true) -> [UInt8] { frame(0, payload.utf8, final: final) }
func close(_ code: UInt16, _ reason: some Collection<UInt8> = []) -> [UInt8] {
    frame(8, [UInt8(code >> 8), UInt8(code & 255)] + reason)
}

extension FrameDecoder.Event {
    static func text(_ text: String) -> Self { .message(.text, Array(text.utf8)) }
}
