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
                "The request line is not “METHOD target HTTP/1.1”; separate the three parts with one space each, "
                    + "and write a space in the target as %20.")
        case .requestLineTooLong:
            Row(
                414, "request-line-too-long",
                "The request line is too long; shorten the target or move data into the body.")
        case .emptyLines:
            Row(
                400, "empty-lines",
                "There are several empty lines before the request line; start with the request line.")
        case .method:
            Row(
                400, "method",
                "The method is not a token; use only letters, digits or !#$%&'*+-.^_`|~, as in GET.")
        case .methodInLowerCase:
            Row(
                501, "method-in-lower-case",
                "The method has lower-case letters, but methods are case-sensitive; write it in capitals, "
                    + "as in GET.")
        case .connect:
            Row(501, "connect", "CONNECT is for proxies, and this server is not a proxy; send the request directly.")
        case .target:
            Row(400, "target", "The request target is neither a path nor an HTTP URL; start it with “/”.")
        case .targetCharacter:
            Row(
                400, "target-character",
                "The request target has a character outside printable ASCII; percent-encode it as UTF-8.")
        case .targetFragment:
            Row(
                400, "target-fragment",
                "The request target contains “#”; leave the fragment out, or write the character as %23.")
        case .targetAsterisk:
            Row(400, "target-asterisk", "The request target “*” is only valid with OPTIONS; send a path.")
        case .targetAuthority:
            Row(
                400, "target-authority",
                "The host in the request target is not valid; write host or host:port, without a user "
                    + "name.")
        case .version:
            Row(400, "version", "The request line does not end with a version; end it with HTTP/1.1.")
        case .notHTTP:
            Row(400, "not-http", "This is not HTTP; a request line ends with HTTP/1.1.")
        case .versionUnsupported:
            Row(
                505, "version-unsupported",
                "This major version cannot be sent in an HTTP/1 request line; send HTTP/1.1, or HTTP/2 with "
                    + "its preface.")

        case .bareLineFeed:
            Row(400, "bare-line-feed", "A line ends with LF only; end every line with CR LF.")
        case .bareCarriageReturn:
            Row(
                400, "bare-carriage-return",
                "A CR is not followed by LF; end every line with CR LF and do not use CR in values.")
        case .controlCharacter:
            Row(
                400, "control-character",
                "A line contains a control character; remove it, or encode the value. A TLS client on a "
                    + "clear-text port causes this too.")

        case .fieldWithoutColon:
            Row(400, "field-without-colon", "A header line has no colon; write “name: value”.")
        case .fieldNameEmpty:
            Row(
                400, "field-name-empty",
                "A header line starts with a colon; put the field's name before it.")
        case .fieldName:
            Row(
                400, "field-name",
                "A field name is not a token; use only letters, digits or !#$%&'*+-.^_`|~.")
        case .spaceBeforeColon:
            Row(400, "space-before-colon", "A field name has white space before its colon; remove it.")
        case .foldedField:
            Row(
                400, "folded-field",
                "A header line starts with white space, an obsolete way to continue the line before; put the "
                    + "value on one line.")
        case .headerTooLarge:
            Row(
                431, "header-too-large",
                "The header fields are too large in total; send fewer or shorter ones.")
        case .tooManyFields:
            Row(431, "too-many-fields", "There are too many header fields; send fewer.")
        case .hostMissing:
            Row(
                400, "host-missing",
                "The request has no Host field; HTTP/1.1 requires one, for example “Host: localhost:2197”.")
        case .hostTwice:
            Row(400, "host-twice", "The request has more than one Host field; send one.")
        case .host:
            Row(
                400, "host",
                "The Host field is not a host with an optional port; send, for example, “localhost:2197”.")
        case .expectation:
            Row(417, "expectation", "The Expect field is not 100-continue; remove it.")

        case .contentLength:
            Row(
                400, "content-length",
                "Content-Length is not a plain decimal number; send the number of bytes in the body, in digits only.")
        case .contentLengthTwice:
            Row(400, "content-length-twice", "Content-Length has more than one value; send it once.")
        case .contentLengthTooLarge:
            Row(
                400, "content-length-too-large",
                "Content-Length is larger than any body can be; send the body's real length.")
        case .transferEncoding:
            Row(
                400, "transfer-encoding",
                "Transfer-Encoding is not exactly “chunked”; send “Transfer-Encoding: chunked”.")
        case .transferEncodingTwice:
            Row(
                400, "transfer-encoding-twice",
                "The message has more than one Transfer-Encoding field; send it once.")
        case .transferEncodingWithLength:
            Row(
                400, "transfer-encoding-with-length",
                "The message has both Transfer-Encoding and Content-Length, which contradict each other; send "
                    + "only one of them.")
        case .transferEncodingInHTTP10:
            Row(
                400, "transfer-encoding-in-http-1.0",
                "HTTP/1.0 has no Transfer-Encoding; send Content-Length, or use HTTP/1.1.")
        case .transferCodingUnknown:
            Row(
                501, "transfer-coding-unknown",
                "Transfer-Encoding names a coding that is not supported; use only chunked, and "
                    + "Content-Encoding for compression.")
        case .chunkSize:
            Row(
                400, "chunk-size",
                "A chunk does not start with its size; send hexadecimal digits without a sign, prefix or "
                    + "space.")
        case .chunkSizeTooLarge:
            Row(
                400, "chunk-size-too-large",
                "A chunk's size has too many digits or is too large; send smaller chunks.")
        case .chunkExtension:
            Row(
                400, "chunk-extension",
                "A chunk's size is followed by something other than “;” and printable ASCII; end the line after "
                    + "the size.")
        case .chunkLineTooLong:
            Row(400, "chunk-line-too-long", "The body's chunk extensions are too long; leave them out.")
        case .chunkEnd:
            Row(400, "chunk-end", "The data of a chunk is not followed by CR LF; make the size match the data.")
        case .trailersTooLarge:
            Row(
                431, "trailers-too-large",
                "The trailer fields are too large in total; leave them out, because they are not used.")
        case .tooManyTrailers:
            Row(
                431, "too-many-trailers",
                "The body has too many trailer fields; leave them out, because they are not used.")

        case .timeout:
            Row(
                408, "timeout",
                "The request was not complete in time; send it without pauses, and check that its "
                    + "Content-Length is correct.")
        case .bodyTooLarge:
            Row(413, "body-too-large", "The body exceeds the limit for this path; send a smaller one.")
        }
    }
}
