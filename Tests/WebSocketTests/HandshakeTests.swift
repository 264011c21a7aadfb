import Testing

@testable import WebSocket

struct HandshakeTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    private func judge(_ key: String?, _ version: String?, _ offered: String?) -> Handshake {
        Handshake.judge(
            key: key.map { Array($0.utf8)[...] }, version: version.map { Array($0.utf8)[...] },
            offered: offered.map { Array($0.utf8)[...] }, speaks: "push.v1")
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), (" , ", nil), ("push.v1", "push.v1"), ("chat, push.v1", "push.v1"),
            ("push.v1,chat", "push.v1"),
            (" \tpush.v1\t ,x", "push.v1"),
        ] as [(String?, String?)])
    func `RFC 6455's example key is answered with its accept key`(_ offered: String?, _ chosen: String?) {
        #expect(
            judge(Self.key, "13", offered)
                == .accept(key: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", subprotocol: chosen))
    }

    @Test(arguments: [nil, "", "8", "12", "013", "13 ", "14", "130"] as [String?])
    func `another version is refused with the version that is supported`(_ version: String?) {
        #expect(
            judge(Self.key, version, nil) == .refuse(status: 426, reason: "Sec-WebSocket-Version must be 13.")
        )
        #expect(
            judge(nil, version, "chat") == .refuse(status: 426, reason: "Sec-WebSocket-Version must be 13."))
    }

    @Test(
        arguments: [
            nil, "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===",
            "dGhlIHNhbXBsZSBub25jZWU=",
            "dGhlIHNhbXBsZSBub25jZ===", "dGhlIHNhbXBsZSBub25jZ Q=", "dGhlIHNhbXBsZSBub25j-_==",
            "dGhlIHNhbXBs\r\nBub25jZQ==",
            "dGhlIHNhbXBsZSBub25jüQ==",
        ] as [String?])
    func `a key that is not 16 bytes in base64 is refused`(_ key: String?) {
        #expect(
            judge(key, "13", nil)
                == .refuse(status: 400, reason: "Sec-WebSocket-Key must be 16 bytes in base64."))
    }

    @Test(arguments: [
        "chat", "push", "PUSH.V1", "push.v1x", "push .v1", "p u s h . v 1", "chat, chat2", "push.v1;q=1",
    ])
    func `a list without the server's subprotocol is refused`(_ offered: String) {
        let reason = "The server supports only the subprotocol push.v1; offer it, or no subprotocol."
        #expect(judge(Self.key, "13", offered) == .refuse(status: 400, reason: reason))
    }
}
