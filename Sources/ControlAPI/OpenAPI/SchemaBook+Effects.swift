internal import FCM
internal import Faults
internal import HTTPCore
internal import PushEngine

/// The effects of faults, by kind.
extension SchemaBook {
    static let effectMembers = [
        S.member("answer", answer, "Replace the answer."),
        S.member("delay", delay, "Delay the answer."),
        S.member("silence", .boolean, "Never answer."),
        S.member("reset", .anyOf([code, .list(code)]), "Reset the stream instead of answering."),
        S.member("resetAfterHeaders", code, "Reset the stream after the head of the answer."),
        S.member("truncate", .integer(0...1 << 20), "Reset the stream after this many bytes of the answer's body."),
        S.member("goAway", goAway, "Send GOAWAY and close the connection."),
        S.member("close", .words(FaultEffect.Closing.allCases.map(\.rawValue)), "Close the connection without GOAWAY."),
        S.member("blackHole", .boolean, "Keep the connection open, but answer nothing."),
        S.member("streamLimit", .integer(0...2000), "Send SETTINGS with this stream limit before the answer."),
        S.member("window", .integer(0...65_535), "Send SETTINGS with this flow-control window."),
        S.member("deliver", .integer(0...10), "Deliver the push this many times."),
        S.member("deliverAfter", delay, "Delay the delivery to the device."),
        S.member(
            "disconnect", .boolean,
            "Cut the connection of the real browser that gets the web push. The push waits until it connects again."),
        S.member("sticky", .boolean, "Also apply the fault to every later request on the connection."),
        S.member("tls", .words(FaultEffect.Handshake.allCases.map(\.rawValue)), "Break the TLS handshake."),
        S.member("acceptDelay", delay, "Delay a new connection: no TLS handshake and no SETTINGS for this long."),
        S.member(
            "connectionLimit", .integer(0...100_000),
            "Reset a new connection if this many connections are already open."),
        S.member("firstStreamLimit", .integer(0...2000), "The stream limit in the first SETTINGS of a new connection."),
        S.member("wire", .words(NamedFault.allCases.map(\.rawValue)), "A named fault of the real services."),
    ]

    private static let code = S.words(HTTP2ErrorCode.names)

    private static let delay = S.anyOf([
        .duration, .object([S.member("uniform", .list(.duration), required: true, "The shortest and the longest.")]),
        .object([S.member("median", .duration, required: true), S.member("sigma", .number(0...5))]),
    ])

    private static let answer = S.object([
        S.member("status", .integer(200...599)), S.member("reason", text),
        S.member("recorded", .words(RecordedAnswer.names), "An answer that Google gave."), S.member("body", text),
        S.member("contentType", text), S.member("headers", .map(text)),
    ])

    private static let goAway = S.object([
        S.member("code", code), S.member("debug", .text(0...16_000)),
        S.member(
            "last",
            .anyOf([
                .words(FaultEffect.GoAway.Last.allCases.map(\.rawValue)), .integer(0...Int(Int32.max)),
            ]), "The last stream that was processed."),
        S.member("times", .integer(1...10), "How many GOAWAY frames to send. Default: 1."),
        S.member("keepOpen", .boolean, "Leave the connection open after the GOAWAY."),
    ])
}
