/// A request to another program.
struct HTTPRequest: Sendable {
    let url: String
    /// What to post; nil for a GET.
    var body: [UInt8]?
    /// Whether to send `Content-Type: application/json`. Adobe's SDK sends that even without a body.
    var declaresJSON = false
    /// The longest body of an answer. The transfer ends when more arrives, or is announced.
    var longestAnswer: Int
    /// Milliseconds until the answer must have arrived completely.
    var patience: UInt64
    /// Whether a user and password in the URL are sent. Otherwise, such a URL is refused.
    var sendsUser = false
    /// Whether the answer has the whole body, and not only its head.
    var keepsBody = false
    let policy: AddressPolicy
}

struct HTTPAnswer: Sendable {
    let status: Int
    var contentType = ""
    /// The announced length of the body, or the received length if that is larger.
    var size = 0
    var announcesSize = true
    /// The first bytes of the body.
    var head: [UInt8] = []
    /// The whole body; empty unless the request says that it is kept.
    var body: [UInt8] = []
    /// The absolute URL that a redirect leads to.
    var redirect: String?
}

/// Why there is no answer.
enum HTTPFailure: Error, Equatable {
    case refused(AddressPolicy.Refusal)
    /// The name was not found. The text is the end of a sentence about the URL: "has a host that cannot be looked up: …".
    case unknownHost(String)
    /// No connection to the address is possible.
    case unreachable
    case late
    /// Anything else, in libcurl's words.
    case broken(String)
    case unusableURL
    case namesUser
    case noLibrary(String)
}
