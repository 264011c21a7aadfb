/// An address of IPv4 or IPv6, as bytes.
struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes. An IPv4 address that is written as one of IPv6 (`::ffff:127.0.0.1`) has 4.
    let bytes: [UInt8]

    private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.count == 16 && bytes.starts(with: Self.mappedPrefix) ? Array(bytes[12...]) : bytes
    }

    private var isV4: Bool { bytes.count == 4 }

    /// 127.0.0.0/8 and ::1. Also 0.0.0.0 and ::, because a connection to them leads to this machine.
    var isLoopback: Bool {
        if isV4 { return bytes[0] == 127 || bytes == [0, 0, 0, 0] }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last.map { $0 <= 1 } ?? false
    }

    /// Whether this is a link-local, multicast or reserved address. No public server has one. They are 169.254.0.0/16,
    /// where a cloud gives its machines their credentials, 224.0.0.0 and all higher ones, fe80::/10 and ff00::/8.
    var isReserved: Bool {
        if isV4 { return bytes.starts(with: [169, 254]) || bytes[0] >= 224 }
        return bytes.count == 16 && (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 || bytes[0] == 0xFF)
    }
}
