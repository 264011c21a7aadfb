/// The table of refusals: the status and name of each, what is wrong, and what to send instead.
extension Refusal {
    struct Row {
        let status: Int
        let name: String
        let meaning: String
        let remedy: String

        init(_ status: Int, _ name: String, _ meaning: String, _ remedy: String) {
            self.status = status
            self.name = name
            self.meaning = meaning
            self.remedy = remedy
        }
    }

    var row: Row {
        switch self {
        case .requestLine:
            Row(
                400, "request-line", "The request line is not 'METHOD target HTTP/1.1'.",
                "Separate the three parts with one space each, and write a space in the target as %20.")
        case .requestLineTooLong:
            Row(
                414, "request-line-too-long", "The request line is too long.",
                "Keep it under 8,192 bytes, and move data into the body.")
        case .emptyLines:
            Row(
                400, "empty-lines", "There are several empty lines before the request line.",
                "Start each request with its request line.")
        case .method:
            Row(
                400, "method", "The method has a character that HTTP does not allow in a method.",
                "Use only letters, digits or !#$%&'*+-.^_`|~, as in GET.")
        case .methodInLowerCase:
            Row(
                501, "method-in-lower-case", "The method has lower-case letters, but methods are case-sensitive.",
                "Write the method in capitals, as in GET.")
        case .connect:
            Row(
                400, "connect", "A CONNECT request has a body, or its target is not a host and a port.",
                "Send 'CONNECT host:port' without a body.")
        case .target:
            Row(
                400, "target", "The request target is neither a path nor an HTTP URL.",
                "Start it with '/', or with http:// and a host.")
        case .targetCharacter:
            Row(
                400, "target-character", "The request target has a character outside printable ASCII.",
                "Percent-encode it as UTF-8.")
        case .targetFragment:
            Row(
                400, "target-fragment", "The request target contains '#'.",
                "Leave the fragment out, or write the character as %23.")
        case .targetAsterisk:
            Row(400, "target-asterisk", "The request target '*' is only valid with OPTIONS.", "Send a path.")
        case .targetAuthority:
            Row(
                400, "target-authority", "The host in the request target is not valid.",
                "Write host or host:port, without a user name.")
        case .version:
            Row(400, "version", "The request line does not end with a version.", "End it with HTTP/1.1.")
        case .notHTTP:
            Row(
                400, "not-http",
                "The input is not HTTP. If a connection starts with such input, it is closed without an answer.",
                "Send HTTP on this port. A request line ends with HTTP/1.1, and HTTP/2 starts with its whole preface.")
        case .versionUnsupported:
            Row(
                505, "version-unsupported", "The request line names a major version of HTTP other than 1.",
                "Send HTTP/1.1, or HTTP/2 with its preface.")

        case .bareLineFeed:
            Row(400, "bare-line-feed", "A line ends with LF only.", "End every line with CR LF.")
        case .bareCarriageReturn:
            Row(
                400, "bare-carriage-return", "A CR is not followed by LF.",
                "End every line with CR LF, and do not use CR in values.")
        case .controlCharacter:
            Row(
                400, "control-character",
                "A line contains a control character.",
                "Remove the character or encode the value.")

        case .fieldWithoutColon:
            Row(400, "field-without-colon", "A header line has no colon.", "Write 'name: value'.")
        case .fieldNameEmpty:
            Row(
                400, "field-name-empty", "A header line starts with a colon.",
                "Put the name of the field before the colon.")
        case .fieldName:
            Row(
                400, "field-name", "A field name has a character that HTTP does not allow there.",
                "Use only letters, digits or !#$%&'*+-.^_`|~.")
        case .spaceBeforeColon:
            Row(400, "space-before-colon", "A field name has white space before its colon.", "Remove the white space.")
        case .foldedField:
            Row(
                400, "folded-field",
                "A header line starts with white space, an obsolete way to continue the previous line.",
                "Put the value of each field on one line.")
        case .headerTooLarge:
            Row(
                431, "header-too-large", "The header fields are too large in total.",
                "Send fewer or shorter ones, at most 32 KiB in total.")
        case .tooManyFields:
            Row(431, "too-many-fields", "There are too many header fields.", "Send at most 100.")
        case .hostMissing:
            Row(
                400, "host-missing", "The request has no Host field, and HTTP/1.1 requires one.",
                "Add a Host field, for example 'Host: localhost:2197'.")
        case .hostTwice:
            Row(400, "host-twice", "The request has more than one Host field.", "Send exactly one.")
        case .host:
            Row(
                400, "host", "The Host field is not a host with an optional port.",
                "Send only a name or address and a port, for example 'localhost:2197'.")
        case .expectation:
            Row(417, "expectation", "The Expect field is not 100-continue.", "Remove it, or set it to 100-continue.")

        case .contentLength:
            Row(
                400, "content-length", "Content-Length is not a plain decimal number.",
                "Send the number of bytes in the body, in digits only.")
        case .contentLengthTwice:
            Row(400, "content-length-twice", "Content-Length has more than one value.", "Send it once.")
        case .contentLengthTooLarge:
            Row(
                400, "content-length-too-large", "Content-Length is larger than any body can be.",
                "Send the real length of the body.")
        case .transferEncoding:
            Row(
                400, "transfer-encoding", "Transfer-Encoding is not exactly 'chunked'.",
                "Send 'Transfer-Encoding: chunked'.")
        case .transferEncodingTwice:
            Row(
                400, "transfer-encoding-twice", "The message has more than one Transfer-Encoding field.",
                "Send it once.")
        case .transferEncodingWithLength:
            Row(
                400, "transfer-encoding-with-length",
                "The message has both Transfer-Encoding and Content-Length, which contradict each other.",
                "Send only one of them.")
        case .transferEncodingInHTTP10:
            Row(
                400, "transfer-encoding-in-http-1.0", "HTTP/1.0 has no Transfer-Encoding.",
                "Send Content-Length, or use HTTP/1.1.")
        case .transferCodingUnknown:
            Row(
                501, "transfer-coding-unknown", "Transfer-Encoding names a coding that is not supported.",
                "Use only chunked, and Content-Encoding for compression.")
        case .chunkSize:
            Row(
                400, "chunk-size", "A chunk does not start with its size.",
                "Send hexadecimal digits without a sign, prefix or space.")
        case .chunkSizeTooLarge:
            Row(
                400, "chunk-size-too-large", "The size of a chunk has too many digits or is too large.",
                "Send smaller chunks, and write sizes without leading zeros.")
        case .chunkExtension:
            Row(
                400, "chunk-extension",
                "The size of a chunk is followed by something other than ';' and printable ASCII.",
                "End the line after the size.")
        case .chunkLineTooLong:
            Row(
                400, "chunk-line-too-long", "The chunk extensions of the body are too long.",
                "Leave them out, or keep them under 4 KiB in total.")
        case .chunkEnd:
            Row(
                400, "chunk-end", "The data of a chunk is not followed by CR LF.",
                "Make the size match the data, and send CR LF after it.")
        case .trailersTooLarge:
            Row(
                431, "trailers-too-large", "The trailer fields are too large in total.",
                "Leave them out, because they are not used, or keep them under 8 KiB in total.")
        case .tooManyTrailers:
            Row(
                431, "too-many-trailers", "The body has too many trailer fields.",
                "Leave them out, because they are not used, or send at most 32.")

        case .timeout:
            Row(
                408, "timeout", "The request was not complete in time.",
                "Send it without pauses, and check that its Content-Length is correct.")
        case .bodyTooLarge:
            Row(413, "body-too-large", "The body exceeds the limit for this path.", "Send a smaller one.")
        }
    }
}
