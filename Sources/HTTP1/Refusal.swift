/// Why a message is not HTTP/1 as it has to be; nothing of the connection can be read after it.
///
/// Each case's status, id and sentence are a line of the table in `Refusal+Table.swift`.
package enum Refusal: Error, Equatable, Sendable, CaseIterable {
    // The request line.
    case requestLine, requestLineTooLong, emptyLines
    case method, methodInLowerCase, connect
    case target, targetCharacter, targetFragment, targetAsterisk, targetAuthority
    case version, versionUnsupported, notHTTP

    // Any line.
    case bareLineFeed, bareCarriageReturn, controlCharacter

    // Fields.
    case fieldWithoutColon, fieldNameEmpty, fieldName, spaceBeforeColon, foldedField
    case headerTooLarge, tooManyFields
    case hostMissing, hostTwice, host
    case expectation

    // Where the body ends.
    case contentLength, contentLengthTwice, contentLengthTooLarge
    case transferEncoding, transferEncodingTwice, transferEncodingWithLength, transferEncodingInHTTP10
    case transferCodingUnknown
    case chunkSize, chunkSizeTooLarge, chunkExtension, chunkLineTooLong, chunkEnd
    case trailersTooLarge, tooManyTrailers

    // Made by the caller, which alone has a clock and routes.
    case timeout, bodyTooLarge

    /// The status a server answers with.
    package var status: Int { row.status }

    /// The stable name, for logs and the docs.
    package var id: String { "http1." + row.name }

    /// What is wrong and what would be right, for people.
    package var reason: String { row.reason }
}
