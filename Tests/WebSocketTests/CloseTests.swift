import Testing

@testable import WebSocket

struct CloseTests {
    @Test(
        arguments: [
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
        ] as [UInt16])
    func `a valid close code is reported`(_ code: UInt16) {
        check(Sample("\(code)", close(code, "why".utf8), gives: [.close(CloseCode(rawValue: code), "why")]))
    }

    @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
    func `a close code that must not be sent is refused`(_ code: UInt16) {
        check(Sample("\(code)", close(code, "why".utf8), fails: .protocolError))
    }

    @Test(arguments: [
        Sample("no payload", frame(8, []), gives: [.close(nil, "")]),
        Sample("one byte", frame(8, [3]), fails: .protocolError),
        Sample("code alone", close(1000), gives: [.close(.normal, "")]),
        Sample(
            "longest reason", close(1000, Array(repeating: 0x61, count: 123)),
            gives: [.close(.normal, String(repeating: "a", count: 123))]),
        Sample("reason one byte too long", close(1000, Array(repeating: 0x61, count: 124)), fails: .protocolError),
        Sample("reason outside ASCII", close(1000, "Füße 👟".utf8), gives: [.close(.normal, "Füße 👟")]),
        Sample("half a character", close(1000, [0xC3]), fails: .invalidText),
        Sample("a surrogate", close(1000, [0x61, 0xED, 0xA0, 0x80]), fails: .invalidText),
        Sample("wrong code and wrong reason", close(1005, [0xFF]), fails: .protocolError),
        Sample("without FIN", frame(8, [], final: false), fails: .protocolError),
    ])
    func `a close frame's payload is a code and a reason in UTF-8`(_ sample: Sample) { check(sample) }

    @Test(arguments: [
        ("", ""), ("bye", "bye"),
        (String(repeating: "a", count: 123), String(repeating: "a", count: 123)),
        (String(repeating: "a", count: 124), String(repeating: "a", count: 123)),
        (String(repeating: "a", count: 122) + "ü", String(repeating: "a", count: 122)),
        (String(repeating: "a", count: 121) + "ü", String(repeating: "a", count: 121) + "ü"),
        (String(repeating: "👟", count: 40), String(repeating: "👟", count: 30)),
    ])
    func `a reason that is too long is cut between characters`(_ reason: String, _ sent: String) {
        var output: [UInt8] = []
        FrameEncoder.appendClose(.goingAway, reason, into: &output)
        check(Sample(reason, output, gives: [.close(.goingAway, sent)]))
    }
}
