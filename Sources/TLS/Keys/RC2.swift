internal import COpenSSL

/// RC2 in CBC mode (RFC 2268), for reading only: Keychain Access encrypts certificates with it, and OpenSSL 3 needs a
/// module for it that few systems have.
struct RC2 {
    private let words: [UInt16]

    /// - Parameters:
    ///   - key: at most 128 bytes.
    ///   - bits: how many bits of the key count; a multiple of 8.
    init(key: [UInt8], bits: Int) {
        var bytes = Array(key.prefix(128))
        if bytes.isEmpty { bytes = [0] }
        let (length, kept) = (bytes.count, min(max(bits / 8, 1), 128))
        while bytes.count < 128 {
            bytes.append(Self.table[Int(truncatingIfNeeded: bytes[bytes.count &- 1] &+ bytes[bytes.count &- length])])
        }
        bytes[128 &- kept] = Self.table[Int(truncatingIfNeeded: bytes[128 &- kept])]
        for index in (0..<128 &- kept).reversed() {
            bytes[index] = Self.table[Int(truncatingIfNeeded: bytes[index &+ 1] ^ bytes[index &+ kept])]
        }
        words = (0..<64).map {
            UInt16(truncatingIfNeeded: bytes[2 &* $0]) | UInt16(truncatingIfNeeded: bytes[2 &* $0 &+ 1]) << 8
        }
    }

    /// Decrypts blocks of eight bytes and removes the padding. Nil if there are no whole blocks, or the padding is wrong.
    func decrypt(_ bytes: [UInt8], from start: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 8), start.count == 8 else { return nil }
        var (plain, last): ([UInt8], ArraySlice<UInt8>) = ([], start[...])
        plain.reserveCapacity(bytes.count)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let block = bytes[offset..<offset &+ 8]
            plain += zip(decrypt(block), last).map { $0 ^ $1 }
            last = block
        }
        let padding = Int(truncatingIfNeeded: plain.last ?? 0)
        guard 1...8 ~= padding, plain.suffix(padding).allSatisfy({ $0 == UInt8(truncatingIfNeeded: padding) }) else {
            return nil
        }
        return plain.dropLast(padding)
    }

    private func decrypt(_ block: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(block)
        var word = (0..<4).map {
            UInt16(truncatingIfNeeded: bytes[2 &* $0]) | UInt16(truncatingIfNeeded: bytes[2 &* $0 &+ 1]) << 8
        }
        var next = 63
        for round in 0..<16 {
            for index in (0..<4).reversed() {
                let rotation = Self.rotations[index]
                let turned = word[index] >> rotation | word[index] << (16 &- rotation)
                let (one, two, three) = (word[(index &+ 3) & 3], word[(index &+ 2) & 3], word[(index &+ 1) & 3])
                word[index] = turned &- words[next] &- (one & two) &- (~one & three)
                next &-= 1
            }
            // After five rounds, and again after six.
            if round == 4 || round == 10 {
                for index in (0..<4).reversed() {
                    word[index] &-= words[Int(truncatingIfNeeded: word[(index &+ 3) & 3] & 63)]
                }
            }
        }
        return word.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static let rotations: [UInt16] = [1, 2, 3, 5]
    private static let table: [UInt8] = [
        0xD9, 0x78, 0xF9, 0xC4, 0x19, 0xDD, 0xB5, 0xED, 0x28, 0xE9, 0xFD, 0x79, 0x4A, 0xA0, 0xD8, 0x9D,
        0xC6, 0x7E, 0x37, 0x83, 0x2B, 0x76, 0x53, 0x8E, 0x62, 0x4C, 0x64, 0x88, 0x44, 0x8B, 0xFB, 0xA2,
        0x17, 0x9A, 0x59, 0xF5, 0x87, 0xB3, 0x4F, 0x13, 0x61, 0x45, 0x6D, 0x8D, 0x09, 0x81, 0x7D, 0x32,
        0xBD, 0x8F, 0x40, 0xEB, 0x86, 0xB7, 0x7B, 0x0B, 0xF0, 0x95, 0x21, 0x22, 0x5C, 0x6B, 0x4E, 0x82,
        0x54, 0xD6, 0x65, 0x93, 0xCE, 0x60, 0xB2, 0x1C, 0x73, 0x56, 0xC0, 0x14, 0xA7, 0x8C, 0xF1, 0xDC,
        0x12, 0x75, 0xCA, 0x1F, 0x3B, 0xBE, 0xE4, 0xD1, 0x42, 0x3D, 0xD4, 0x30, 0xA3, 0x3C, 0xB6, 0x26,
        0x6F, 0xBF, 0x0E, 0xDA, 0x46, 0x69, 0x07, 0x57, 0x27, 0xF2, 0x1D, 0x9B, 0xBC, 0x94, 0x43, 0x03,
        0xF8, 0x11, 0xC7, 0xF6, 0x90, 0xEF, 0x3E, 0xE7, 0x06, 0xC3, 0xD5, 0x2F, 0xC8, 0x66, 0x1E, 0xD7,
        0x08, 0xE8, 0xEA, 0xDE, 0x80, 0x52, 0xEE, 0xF7, 0x84, 0xAA, 0x72, 0xAC, 0x35, 0x4D, 0x6A, 0x2A,
        0x96, 0x1A, 0xD2, 0x71, 0x5A, 0x15, 0x49, 0x74, 0x4B, 0x9F, 0xD0, 0x5E, 0x04, 0x18, 0xA4, 0xEC,
        0xC2, 0xE0, 0x41, 0x6E, 0x0F, 0x51, 0xCB, 0xCC, 0x24, 0x91, 0xAF, 0x50, 0xA1, 0xF4, 0x70, 0x39,
        0x99, 0x7C, 0x3A, 0x85, 0x23, 0xB8, 0xB4, 0x7A, 0xFC, 0x02, 0x36, 0x5B, 0x25, 0x55, 0x97, 0x31,
        0x2D, 0x5D, 0xFA, 0x98, 0xE3, 0x8A, 0x92, 0xAE, 0x05, 0xDF, 0x29, 0x10, 0x67, 0x6C, 0xBA, 0xC9,
        0xD3, 0x00, 0xE6, 0xCF, 0xE1, 0x9E, 0xA8, 0x2C, 0x63, 0x16, 0x01, 0x3F, 0x58, 0xE2, 0x89, 0xA9,
        0x0D, 0x38, 0x34, 0x1B, 0xAB, 0x33, 0xFF, 0xB0, 0xBB, 0x48, 0x0C, 0x5F, 0xB9, 0xB1, 0xCD, 0x2E,
        0xC5, 0xF3, 0xDB, 0x47, 0xE5, 0xA5, 0x9C, 0x77, 0x0A, 0xA6, 0x20, 0x68, 0xFE, 0x7F, 0xC1, 0xAD,
    ]
}

/// Safes of a PKCS#12 file.
extension RC2 {
    /// The bits of the key; nil if the algorithm is another one.
    static func bits(of algorithm: UnsafePointer<X509_ALGOR>) -> Int? {
        switch unsafe OBJ_obj2nid(algorithm.pointee.algorithm) {
        case NID_pbe_WithSHA1And40BitRC2_CBC: 40
        case NID_pbe_WithSHA1And128BitRC2_CBC: 128
        default: nil
        }
    }

    /// The bags in a safe; nil if the password does not fit.
    static func bags(
        in safe: UnsafeMutablePointer<PKCS7>, _ algorithm: UnsafePointer<X509_ALGOR>, _ bits: Int, _ password: String
    ) -> OpaquePointer? {
        var (key, start) = ([UInt8](repeating: 0, count: max(bits / 8, 0)), [UInt8](repeating: 0, count: 8))
        guard unsafe pushpit_pbe_bytes(algorithm, password, 1, Int32(truncatingIfNeeded: key.count), &key) == 1,
            unsafe pushpit_pbe_bytes(algorithm, password, 2, 8, &start) == 1,
            let contents = unsafe pushpit_encrypted_contents(safe),
            let plain = unsafe RC2(key: key, bits: bits).decrypt(asn1Bytes(contents), from: start)
        else { return nil }
        return unsafe pushpit_read_bags(plain, plain.count)
    }
}
