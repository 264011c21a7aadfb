extension Refusal {
    struct Row {
        let status: Int
        let name: String
        let reason: String

        init(_ status: Int, _ name: String, _ reason: String) {
            self.status = status
            self.name = name
            self.reason = reason
        }
    }

    var row: Row {
        switch self {
        case .requestLine:
            Row(
                400, "request-line",
                "The request line is not “METHOD target HTTP/1.1”; put one space between its three parts, "
                    + "none around them, and write a space in the target as %20.")
        case .requestLineTooLong:
            Row(
                414, "request-line-too-long",
                "The request line is too long; shorten the target or move data into the body.")
        case .emptyLines:
            Row(
                400, "empty-lines",
                "Several empty lines came before the request line; start with the request line.")
        case .method:
            Row(
                400, "method",
                "The method is not a token; use letters, digits or !#$%&'*+-.^_`|~ only, like GET.")
        case .methodInLowerCase:
            Row(
                501, "method-in-lower-case",
                "The method has lower-case letters, and methods are case-sensitive; write it in capitals, "
                    + "like GET.")
        case .connect:
            Row(501, "connect", "CONNECT asks for a proxy and this server is none; send the request itself.")
        case .target:
            Row(400, "target", "The request target is neither a path nor an http URL; start it with “/”.")
        case .targetCharacter:
            Row(
                400, "target-character",
                "The request target has a character outside printable ASCII; percent-encode it as UTF-8.")
        case .targetFragment:
            Row(
                400, "target-fragment",
                "The request target has a “#”; leave the fragment out, or write the character as %23.")
        case .targetAsterisk:
            Row(400, "target-asterisk", "The request target “*” is for OPTIONS only; name a path.")
        case .targetAuthority:
            Row(
                400, "target-authority",
                "The host in the request target is not valid; write host or host:port, without a user "
                    + "name.")
        case .version:
            Row(400, "version", "The request line does not end with a version; end it with HTTP/1.1.")
        case .notHTTP:
            Row(400, "not-http", "This is no HTTP; a request line ends with HTTP/1.1.")
        case .versionUnsupported:
            Row(
                505, "version-unsupported",
                "The request's major version is not spoken in this form; send HTTP/1.1, or HTTP/2 with "
                    + "its own preface.")

        case .bareLineFeed:
            Row(400, "bare-line-feed", "A line ends with LF alone; end every line with CR LF.")
        case .bareCarriageReturn:
            Row(
                400, "bare-carriage-return",
                "A CR stands without its LF; end every line with CR LF and leave CR out of values.")
        case .controlCharacter:
            Row(
                400, "control-character",
                "A line has a control character; remove it, or encode the value. A TLS client on a "
                    + "clear-text port looks like this too.")

        case .fieldWithoutColon:
            Row(400, "field-without-colon", "A header line has no colon; write “name: value”.")
        case .fieldNameEmpty:
            Row(
                400, "field-name-empty",
                "A header line starts with its colon; put the field's name before it.")
        case .fieldName:
            Row(
                400, "field-name",
                "A field name is not a token; use letters, digits or !#$%&'*+-.^_`|~ only.")
        case .spaceBeforeColon:
            Row(400, "space-before-colon", "A field name has white space before its colon; remove it.")
        case .foldedField:
            Row(
                400, "folded-field",
                "A header line starts with white space, which once continued the line before; put the "
                    + "value on one line.")
        case .headerTooLarge:
            Row(
                431, "header-too-large",
                "The header fields are too large together; send fewer or shorter ones.")
        case .tooManyFields:
            Row(431, "too-many-fields", "The header has too many fields; send fewer.")
        case .hostMissing:
            Row(
                400, "host-missing",
                "The request has no Host field; HTTP/1.1 requires one, like “Host: localhost:2197”.")
        case .hostTwice:
            Row(400, "host-twice", "The request has more than one Host field; send one.")
        case .host:
            Row(
                400, "host",
                "The Host field is not a host with an optional port; write it like “localhost:2197”.")
        case .expectation:
            Row(417, "expectation", "The Expect field asks for something else than 100-continue; remove it.")

        case .contentLength:
            Row(
                400, "content-length",
                "Content-Length is not a plain decimal number; send the body's octets in digits only.")
        case .contentLengthTwice:
            Row(400, "content-length-twice", "Content-Length has more than one value; send it once.")
        case .contentLengthTooLarge:
            Row(
                400, "content-length-too-large",
                "Content-Length is larger than any body can be; send the body's true length.")
        case .transferEncoding:
            Row(
                400, "transfer-encoding",
                "Transfer-Encoding does not say “chunked” once, last and alone; send “Transfer-Encoding: "
                    + "chunked”.")
        case .transferEncodingTwice:
            Row(
                400, "transfer-encoding-twice",
                "The message has more than one Transfer-Encoding field; send it once.")
        case .transferEncodingWithLength:
            Row(
                400, "transfer-encoding-with-length",
                "The message has Transfer-Encoding and Content-Length, which contradict each other; send "
                    + "one of them.")
        case .transferEncodingInHTTP10:
            Row(
                400, "transfer-encoding-in-http-1.0",
                "HTTP/1.0 has no Transfer-Encoding; send Content-Length, or HTTP/1.1.")
        case .transferCodingUnknown:
            Row(
                501, "transfer-coding-unknown",
                "Transfer-Encoding names a coding that is not supported; use chunked alone, and "
                    + "Content-Encoding for compression.")
        case .chunkSize:
            Row(
                400, "chunk-size",
                "A chunk does not start with its size; send hexadecimal digits without sign, prefix or "
                    + "space.")
        case .chunkSizeTooLarge:
            Row(
                400, "chunk-size-too-large",
                "A chunk's size has too many digits or is too large; send smaller chunks.")
        case .chunkExtension:
            Row(
                400, "chunk-extension",
                "Something other than “;” and printable ASCII follows a chunk's size; end the line after "
                    + "the size.")
        case .chunkLineTooLong:
            Row(400, "chunk-line-too-long", "The body's chunk extensions are too long; leave them out.")
        case .chunkEnd:
            Row(400, "chunk-end", "A chunk's data is not followed by CR LF; make the size match the data.")
        case .trailersTooLarge:
            Row(
                431, "trailers-too-large",
                "The trailer fields are too large together; leave them out, they are not used.")
        case .tooManyTrailers:
            Row(
                431, "too-many-trailers",
                "The body has too many trailer fields; leave them out, they are not used.")

        case .timeout:
            Row(
                408, "timeout",
                "The request did not arrive whole in time; send it without pauses, and check that its "
                    + "length is right.")
        case .bodyTooLarge:
            Row(413, "body-too-large", "The body is over the limit for this path; send a smaller one.")
        }
    }
}
