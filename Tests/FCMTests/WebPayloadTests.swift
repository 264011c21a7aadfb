import JSON
import Testing

@testable import FCM

/// A message as a browser receives it.
@Suite struct WebPayloadTests {
    private func web(_ message: String) throws -> JSONValue {
        let payload = try #require(FCMPayload(Array(#"{"message":\#(message)}"#.utf8)))
        return try JSONValue(FCMCase.document(FCMCase.text { payload.writeWeb(to: &$0) }).root)
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(FCMCase.document(text).root) }

    @Test func `an empty image of a web notification counts as not set`() throws {
        let webpush = #""webpush":{"notification":{"title":"t","image":""}}"#
        #expect(try web(#"{"token":"T",\#(webpush)}"#)["notification"] == json(#"{"title":"t"}"#))
        #expect(
            try web(#"{"token":"T","notification":{"image":"https://a.example/b.png"},\#(webpush)}"#)["notification"]
                == json(#"{"image":"https://a.example/b.png","title":"t"}"#))
    }
}
