/// A file that a phone wants, with the phone's own limits.
package struct FetchRequest: Sendable, Equatable {
    package let url: String
    /// The phone uses no more than this many bytes.
    package var longest = 50_000_000
    /// How many milliseconds the phone waits.
    package var patience: Int64
    /// Whether the app may use http for other hosts than this machine.
    package var allowsHTTP = false
    /// Whether a redirect from https to http, or the other way, is followed.
    package var changesScheme = true
    /// Whether the result has the file's bytes.
    package var keepsContent = false

    package init(url: String, patience: Int64) {
        self.url = url
        self.patience = patience
    }
}

/// How a fetch ended.
package enum FetchResult: Sendable {
    case received(Media)
    /// Pushpit has not fetched the file. The sentence says why; nil if it fetches nothing at all.
    case skipped(String?)
    /// There was no answer. The text is put after "Failed to download" and says why: `connection refused`.
    case failed(String)
    case timedOut
    /// The app may not use http.
    case inClearText
}
