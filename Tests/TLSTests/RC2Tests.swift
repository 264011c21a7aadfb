import Testing

@testable import TLS

/// Tests/InspectionTests reads files that OpenSSL has encrypted with RC2.
struct RC2Tests {
    @Test func `what is no whole number of blocks is refused`() {
        let cipher = RC2(key: [1, 2, 3, 4, 5], bits: 40)
        let start = [UInt8](repeating: 0, count: 8)
        for count in [0, 1, 7, 9, 15] {
            #expect(cipher.decrypt([UInt8](repeating: 7, count: count), from: start) == nil, "\(count)")
        }
        #expect(cipher.decrypt([UInt8](repeating: 7, count: 8), from: []) == nil)
    }

    @Test func `any key and any bytes are decrypted or refused`() {
        for count in [0, 1, 5, 16, 128, 200] {
            for bits in [0, 8, 40, 128, 1024, 9000] {
                let cipher = RC2(key: [UInt8](repeating: 0xAB, count: count), bits: bits)
                for byte in 0...UInt8.max {
                    let plain = cipher.decrypt(
                        [UInt8](repeating: byte, count: 16), from: [UInt8](repeating: byte, count: 8))
                    #expect(plain?.count ?? 8 < 16)
                }
            }
        }
    }
}
