internal import TLS

/// What to inspect: the content of a file, or a token.
package struct InspectionInput: Sendable {
    package var bytes: [UInt8]
    /// The file's name without its directory. It matters only for keys, because Apple writes the key's id into it.
    package var name: String?
    /// The passwords to try on a PKCS#12 file, in order.
    package var passwords: [String]
    /// Whether opening a PKCS#12 file may take a few seconds. If not, deriving one key may take about 5 ms, because the
    /// gateway does nothing else meanwhile. That is enough for the 2,048 rounds of a file from OpenSSL, but not for the
    /// 10,000 of one from Java.
    package var mayTakeSeconds = false

    /// - Parameter passwords: by default the empty password and that of Pushpit's own files.
    package init(_ bytes: [UInt8], name: String? = nil, passwords: [String] = ["", "pushpit"]) {
        self.bytes = bytes
        self.name = name
        self.passwords = passwords
    }

    var derivation: PKCS12.Limits {
        mayTakeSeconds
            ? PKCS12.Limits(roundsForKey: 5_000_000, rounds: 5_000_000)
            : PKCS12.Limits(roundsForKey: 3_500, rounds: 35_000)
    }

    /// The largest input. Apple's and Google's files have a few KiB, and payloads at most 5 KiB.
    package static let maximumBytes = 1 << 20
}
