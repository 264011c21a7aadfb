/// Writes PNG files with a palette of 16 colors (RFC 2083). The pixels are not compressed.
enum PNG {
    /// - Parameters:
    ///   - palette: three bytes for each color.
    ///   - rows: each row is a 0, for "no filter", and four bits for each pixel.
    static func file(width: Int, height: Int, palette: [UInt8], rows: [UInt8]) -> [UInt8] {
        let head = bigEndian(width) + bigEndian(height) + [4, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", head) + chunk("PLTE", palette) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count) + body + bigEndian(Int(crc(body)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A stream of zlib whose blocks are stored as they are (RFC 1950 and 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, start): ([UInt8], Int) = ([0x78, 0x01], 0)
        repeat {
            let block = bytes.dropFirst(start).prefix(0xFFFF)
            start = start &+ block.count
            let length = UInt16(truncatingIfNeeded: block.count)
            stream.append(start == bytes.count ? 1 : 0)
            for number in [length, ~length] {
                stream += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
            stream += block
        } while start < bytes.count
        return stream + bigEndian(Int(adler(bytes)))
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low &+ UInt32(byte)) % 65_521
            high = (high &+ low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
        }
        return ~crc
    }
}
