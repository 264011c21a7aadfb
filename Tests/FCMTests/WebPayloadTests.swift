import JSON
import Testing

@testable import FCM

/// A message as a browser receives it.
@Suite struct WebPayloadTests {
    private func web(_ message: String) throws -> JSONValue {
        var payload = try #require(FCMPayload(Array(#"{"message":\#(message)}"#.utf8)))
        payload.name = "0:1%2"
        return try JSONValue(FCMCase.document(FCMCase.text { payload.writeWeb(to: &$0) }).root)
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(FCMCase.document(text).root) }

    @Test func `a message with nothing to show has no data and no notification`() throws {
        #expect(
            try web(#"{"token":"T"}"#) == json(#"{"from":"900000000000","fcmMessageId":"0:1%2","priority":"normal"}"#))
    }

    @Test(arguments: [
        ("", "normal"), (#","android":{"priority":"high"}"#, "normal"),
        (#","webpush":{"headers":{"Urgency":"high"}}"#, "high"),
        (#","webpush":{"headers":{"urgency":"low"}}"#, "normal"),
    ])
    func `the priority is the urgency of the web push`(more: String, priority: String) throws {
        let message = #"{"token":"T","notification":{"title":"t"},"data":{"a":"b"}\#(more)}"#
        #expect(
            try web(message)
                == json(
                    #"{"from":"900000000000","fcmMessageId":"0:1%2","priority":"\#(priority)","notification":{"title":"t"},"data":{"a":"b"}}"#
                ))
    }

    @Test func `an empty image of a web notification counts as not set`() throws {
        let webpush = #""webpush":{"notification":{"title":"t","image":""}}"#
        #expect(try web(#"{"token":"T",\#(webpush)}"#)["notification"] == json(#"{"title":"t"}"#))
        #expect(
            try web(#"{"token":"T","notification":{"image":"https://a.example/b.png"},\#(webpush)}"#)["notification"]
                == json(#"{"image":"https://a.example/b.png","title":"t"}"#))
    }
}
