import HTTP1
import TestSupport
import Testing

struct MalformedBodyTests {
    @Test(arguments: chunks)
    func `a malformed chunked body is refused with its own id`(_ sample: Sample) {
        let input = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + sample.input
        let events = ChunkingVerifier.requests().outcome(of: input)
        #expect(events == ["POST /, body | host: a | transfer-encoding: chunked"] + sample.events)
    }

    static let chunks = [
        Sample("no digits", "\r\n", "refused 400 http1.chunk-size"),
        Sample("not hexadecimal", "xyz\r\n", "refused 400 http1.chunk-size"),
        Sample("prefix", "0x5\r\nhello\r\n", "refused 400 http1.chunk-size"),
        Sample("sign", "+5\r\nhello\r\n", "refused 400 http1.chunk-size"),
        Sample("negative", "-1\r\n", "refused 400 http1.chunk-size"),
        Sample("space before size", " 5\r\nhello\r\n", "refused 400 http1.chunk-size"),
        Sample("underscore", "1_0\r\n", "refused 400 http1.chunk-size"),
        Sample("comma", "5,5\r\nhello\r\n", "refused 400 http1.chunk-size"),
        Sample("extension without size", ";a=b\r\n", "refused 400 http1.chunk-size"),
        Sample("space after size", "5 \r\nhello\r\n", "refused 400 http1.chunk-extension"),
        Sample("space before extension", "5 ;a\r\nhello\r\n", "refused 400 http1.chunk-extension"),
        Sample("extension outside ASCII", "5;ä\r\nhello\r\n", "refused 400 http1.chunk-extension"),
        Sample("2^63", "8000000000000000\r\n", "refused 400 http1.chunk-size-too-large"),
        Sample("2^64", "10000000000000000\r\n", "refused 400 http1.chunk-size-too-large"),
        Sample(
            "17 digits of a small number", "00000000000000005\r\n", "refused 400 http1.chunk-size-too-large"),
        Sample("LF after size", "5\nhello\r\n", "refused 400 http1.bare-line-feed"),
        Sample("CR after size", "5\rhello\r\n", "refused 400 http1.bare-carriage-return"),
        Sample("LF in extension", "5;a\nb\r\nhello\r\n", "refused 400 http1.bare-line-feed"),
        Sample("control in extension", "5;\u{1}\r\nhello\r\n", "refused 400 http1.control-character"),
        Sample("data longer than size", "4\r\nhello\r\n", "body hell", "refused 400 http1.chunk-end"),
        Sample(
            "data shorter than size", "6\r\nhello\r\n0\r\n\r\n", "body hello\r", "refused 400 http1.chunk-end"
        ),
        Sample("LF after data", "5\r\nhello\n0\r\n\r\n", "body hello", "refused 400 http1.chunk-end"),
        Sample("CR after data", "5\r\nhello\r0\r\n\r\n", "body hello", "refused 400 http1.chunk-end"),
        Sample("LF after trailer", "0\r\na: b\n\r\n", "refused 400 http1.bare-line-feed"),
        Sample("LF for the end", "0\r\n\n", "refused 400 http1.bare-line-feed"),
        Sample("trailer without colon", "0\r\nab\r\n\r\n", "refused 400 http1.field-without-colon"),
        Sample("trailer with a space", "0\r\na : b\r\n\r\n", "refused 400 http1.space-before-colon"),
        Sample("folded trailer", "0\r\na: b\r\n c\r\n\r\n", "refused 400 http1.folded-field"),
        Sample("control in trailer", "0\r\na: \0\r\n\r\n", "refused 400 http1.control-character"),
        Sample("next request without the end", "0\r\nGET / HTTP/1.1\r\n", "refused 400 http1.field-name"),
    ]
}
