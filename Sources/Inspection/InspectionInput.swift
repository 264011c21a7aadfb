/// What to inspect: the content of a file, or a token.
package struct InspectionInput: Sendable {
    package var bytes: [UInt8]
    /// The file's name without its directory. Only Apple's names for keys say something.
    package var name: String?
    /// The passwords to try on a PKCS#12 file, in order.
    package var passwords: [String]
    /// How often key derivation may hash to open a PKCS#12 file. The default takes about 4 ms, because it holds up the
    /// gateway. Files of OpenSSL take about 6,000 for each password, and files of Java and Apple up to 50,000.
    package var maximumIterations: Int64 = 10_300

    /// - Parameter passwords: by default none, and the one of Pushpit's own files.
    package init(_ bytes: [UInt8], name: String? = nil, passwords: [String] = ["", "pushpit"]) {
        self.bytes = bytes
        self.name = name
        self.passwords = passwords
    }

    /// The largest input. Apple's and Google's files have a few KiB, and payloads at most 5 KiB.
    package static let maximumBytes = 1 << 20
}
