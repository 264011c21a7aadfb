internal import Platform
internal import PushCore

/// The files that `exec` writes for the command, all in its temporary directory.
struct ExecFiles {
    let directory: String

    /// Seen instead of /etc/hosts.
    var hosts: String { "\(directory)/hosts" }
    /// The system's authorities and Pushpit's.
    var bundle: String { "\(directory)/ca-bundle.pem" }
    /// Pushpit's authority, and the authorities that `NODE_EXTRA_CA_CERTS` named before.
    var nodeAuthorities: String { "\(directory)/node-ca.pem" }
    var trustStore: String { "\(directory)/\(Self.trustStoreName)" }
    static let trustStoreName = "pushpit-truststore.p12"
    /// The directory of PHP's settings.
    var phpSettings: String { "\(directory)/php" }
    /// The library that programs load.
    var library: String { "\(directory)/libpushpit-preload.so" }
    var index: String { "\(directory)/pushpit.json" }
    var serviceAccount: String { "\(directory)/service-account.json" }
    /// The credentials, unless `--certs` names a directory.
    var credentials: String { "\(directory)/certs" }

    /// The address that `hosts` gives for the push hosts. It is on the loopback interface, and nothing listens there.
    static let pushAddress: UInt32 = 0x7F50_5048

    private static let pushAddressText = [24, 16, 8, 0].map { String(pushAddress >> $0 & 0xFF) }.joined(separator: ".")

    /// Whether a hosts file is the one that `exec` shows, rather than the system's.
    static func isShownByExec(_ hosts: String) -> Bool { hosts.hasPrefix(pushAddressText) }

    /// The system's hosts file with the push hosts. Ours come first, because the first address of a name counts.
    static func hostsText(system: [UInt8]) -> [UInt8] {
        let address = pushAddressText
        // Without an IPv6 address here, a program that asks only for IPv6 addresses would ask DNS.
        // A name may end in a dot, which says that it is complete.
        let lines = Vendor.hosts.map { "\(address) \($0) \($0).\n::ffff:\(address) \($0) \($0).\n" }
        return Array(lines.joined().utf8) + system
    }

    /// PEM files and an authority, which is added only if no file has it yet.
    static func bundle(of files: [[UInt8]], and authority: [UInt8]) -> [UInt8] {
        let text = String(decoding: authority, as: UTF8.self)
        let isIncluded = files.contains { String(decoding: $0, as: UTF8.self).includes(text) }
        return joined(isIncluded ? files : files + [authority])
    }

    /// PEM files one after the other, each on its own lines.
    static func joined(_ files: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        for file in files {
            if let last = text.last, last != newline { text.append(newline) }
            text += file
        }
        return text
    }

    private static let newline = UInt8(ascii: "\n")

    static func phpText(bundle: String) -> String { "curl.cainfo=\"\(bundle)\"\nopenssl.cafile=\"\(bundle)\"\n" }
}
