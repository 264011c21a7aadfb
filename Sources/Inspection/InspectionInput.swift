internal import TLS

/// What to inspect: the content of a file, or a token.
package struct InspectionInput: Sendable {
    package var bytes: [UInt8]
    /// The file's name without its directory. Only Apple's names for keys say something.
    package var name: String?
    /// The passwords to try on a PKCS#12 file, in order.
    package var passwords: [String]
    /// Whether key derivation may take a few seconds to open a PKCS#12 file. If not, a key takes at most about 5 ms,
    /// because that holds up the gateway. Files of OpenSSL take 2,048 rounds for each key and each attempt, and files of
    /// Java 10,000.
    package var mayTakeSeconds = false

    /// - Parameter passwords: by default none, and the one of Pushpit's own files.
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
