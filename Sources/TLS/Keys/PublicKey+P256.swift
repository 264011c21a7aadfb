internal import PushCore

extension PublicKey {
    /// A P-256 key from its uncompressed point, as in VAPID and Web Push: 65 bytes, the first of them 4.
    package convenience init(p256 point: [UInt8]) throws(CryptoError) {
        guard point.count == 65, point[0] == 4 else {
            throw CryptoError("read a public key", reason: "\(point.count) bytes are not an uncompressed P-256 point")
        }
        var text = Base64URL.encode(Self.p256Info + point).utf8.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        let body = text.prefix(64) + [0x0A] + text.dropFirst(64)
        try self.init(
            pem: Array("-----BEGIN PUBLIC KEY-----\n".utf8) + body + Array("\n-----END PUBLIC KEY-----\n".utf8))
    }

    /// What precedes the point in SubjectPublicKeyInfo (RFC 5480): the algorithm, the curve, and the length.
    private static let p256Info: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
}
