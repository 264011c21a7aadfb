/// The head of an ELF file.
struct ELFHead {
    /// Whether a dynamic linker loads the program. Only then can the library be preloaded.
    let isLoadedByLinker: Bool

    private static let interpreterSegment: UInt64 = 3

    /// Nil if the bytes are not those of an ELF file.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x7F] + Array("ELF".utf8)), bytes.count >= 64 else { return nil }
        // The library is for 64 bits, least significant byte first.
        guard bytes[4] == 2, bytes[5] == 1 else {
            isLoadedByLinker = false
            return
        }
        let (start, size, count) = (Self.number(bytes, 32, 8), Self.number(bytes, 54, 2), Self.number(bytes, 56, 2))
        isLoadedByLinker = (0..<count).contains { index in
            let (offset, overflow) = start.addingReportingOverflow(index &* size)
            return !overflow && Self.number(bytes, offset, 4) == Self.interpreterSegment
        }
    }

    /// 0 if the number is not in the bytes.
    private static func number(_ bytes: [UInt8], _ offset: UInt64, _ size: UInt64) -> UInt64 {
        guard offset < UInt64(bytes.count), size <= UInt64(bytes.count) &- offset else { return 0 }
        return bytes[Int(offset)..<Int(offset &+ size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
