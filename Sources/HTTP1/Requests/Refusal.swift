/// Why a message is not valid HTTP/1. The rest of the connection cannot be read either.
///
/// The table in `Refusal+Table.swift` has the status, id and sentences of each case.
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

    // The parser never throws these. Its caller uses them, because it has the clock and the routes.
    case timeout, bodyTooLarge

    /// The status of the answer.
    package var status: Int { row.status }

    /// The stable identifier, for logs and the documentation.
    package var id: String { "http1." + row.name }

    /// What is wrong, in a sentence.
    package var meaning: String { row.meaning }

    /// What to send instead, in a sentence.
    package var remedy: String { row.remedy }

    /// Both sentences, for the client.
    package var reason: String { meaning + " " + remedy }
}
