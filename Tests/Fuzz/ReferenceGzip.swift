/// A second reader of gzip, written from RFC 1951 and RFC 1952 alone. It is slow and simple, so that the fuzzer can
/// compare the first one with it.
struct ReferenceGzip {
    enum Outcome: Equatable {
        case message([UInt8])
        case broken
        /// The message is longer than the limit. Whether the rest of it is right is not known.
        case tooLong
    }

    private struct Stop: Error { let outcome: Outcome }

    private let input: ArraySlice<UInt8>
    /// The position of the next bit.
    private var bit: Int
    private var output: [UInt8] = []
    private let limit: Int

    private init(_ input: ArraySlice<UInt8>, limit: Int) {
        self.input = input
        self.limit = limit
        bit = input.startIndex * 8
    }

    /// Reads one member of gzip, behind which nothing follows.
    static func decompress(_ bytes: [UInt8], limit: Int) -> Outcome {
        var reader = ReferenceGzip(bytes[...], limit: limit)
        do throws(Stop) {
            try reader.skipHeader()
            try reader.inflate()
            let (sum, length) = (try reader.number(bytes: 4), try reader.number(bytes: 4))
            guard sum == Int(crc(reader.output)), length == reader.output.count, reader.bit == bytes.count * 8 else {
                return .broken
            }
            return .message(reader.output)
        } catch { return error.outcome }
    }

    /// Reads a deflate stream at the start of the bytes. Nil if it is broken or longer than the limit.
    static func inflate(_ bytes: [UInt8], limit: Int) -> (output: [UInt8], length: Int)? {
        var reader = ReferenceGzip(bytes[...], limit: limit)
        do throws(Stop) { try reader.inflate() } catch { return nil }
        return (reader.output, (reader.bit + 7) / 8)
    }

    static func crc(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    private mutating func bits(_ count: Int) throws(Stop) -> Int {
        var value = 0
        for place in 0..<count {
            guard bit / 8 < input.endIndex else { throw Stop(outcome: .broken) }
            value |= Int(input[bit / 8] >> UInt8(bit % 8) & 1) << place
            bit += 1
        }
        return value
    }

    private mutating func number(bytes: Int) throws(Stop) -> Int {
        bit = (bit + 7) / 8 * 8
        return try bits(bytes * 8)
    }

    private mutating func skipHeader() throws(Stop) {
        guard try number(bytes: 2) == 0x8B1F, try number(bytes: 1) == 8 else { throw Stop(outcome: .broken) }
        let flags = try number(bytes: 1)
        guard flags & 0xE0 == 0 else { throw Stop(outcome: .broken) }
        _ = try number(bytes: 6)
        if flags & 4 != 0 { for _ in 0..<(try number(bytes: 2)) { _ = try number(bytes: 1) } }
        for text in [8, 16] where flags & text != 0 { while try number(bytes: 1) != 0 {} }
        guard flags & 2 != 0 else { return }
        let sum = Int(Self.crc(input[..<(bit / 8)]) & 0xFFFF)
        guard try number(bytes: 2) == sum else { throw Stop(outcome: .broken) }
    }

    private mutating func inflate() throws(Stop) {
        while true {
            let isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyBlock()
            case 1: try readBlock(.fixedLengths, .fixedDistances)
            case 2:
                let (lengths, distances) = try readCodes()
                try readBlock(lengths, distances)
            default: throw Stop(outcome: .broken)
            }
            if isLast { return }
        }
    }

    private mutating func append(_ byte: UInt8) throws(Stop) {
        guard output.count < limit else { throw Stop(outcome: .tooLong) }
        output.append(byte)
    }

    private mutating func copyBlock() throws(Stop) {
        let (length, complement) = (try number(bytes: 2), try number(bytes: 2))
        guard length ^ 0xFFFF == complement else { throw Stop(outcome: .broken) }
        for _ in 0..<length { try append(UInt8(try number(bytes: 1))) }
    }

    private mutating func symbol(_ code: PrefixCode) throws(Stop) -> Int {
        var (value, first, index) = (0, 0, 0)
        for count in code.counts[1...] {
            value |= try bits(1)
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Stop(outcome: .broken)
    }

    private mutating func readBlock(_ lengths: PrefixCode, _ distances: PrefixCode) throws(Stop) {
        while true {
            let word = try symbol(lengths)
            if word < 256 { try append(UInt8(word)) }
            if word == 256 { return }
            guard word > 256 else { continue }
            guard word <= 285 else { throw Stop(outcome: .broken) }
            // Both tables follow a rule: the base grows by what the extra bits of the entry before it can say.
            let extra = word < 265 || word == 285 ? 0 : (word - 261) / 4
            let base = word == 285 ? 258 : word < 265 ? word - 254 : 3 + (4 + (word - 261) % 4) << extra
            let length = base + (try bits(extra))
            let step = try symbol(distances)
            guard step < 30 else { throw Stop(outcome: .broken) }
            let more = max(0, step / 2 - 1)
            let distance = (step < 4 ? step + 1 : 1 + (2 + step % 2) << more) + (try bits(more))
            guard distance <= output.count else { throw Stop(outcome: .broken) }
            for _ in 0..<length { try append(output[output.count - distance]) }
        }
    }

    private mutating func readCodes() throws(Stop) -> (PrefixCode, PrefixCode) {
        let (lengths, distances) = (try bits(5) + 257, try bits(5) + 1)
        let count = try bits(4) + 4
        guard lengths <= 286, distances <= 30 else { throw Stop(outcome: .broken) }
        var sizes = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
            sizes[place] = try bits(3)
        }
        guard let code = PrefixCode(sizes), code.isComplete else { throw Stop(outcome: .broken) }
        sizes = []
        while sizes.count < lengths + distances {
            let word = try symbol(code)
            if word < 16 {
                sizes.append(word)
                continue
            }
            guard word > 16 || !sizes.isEmpty else { throw Stop(outcome: .broken) }
            let size = word == 16 ? sizes[sizes.count - 1] : 0
            let times = word == 16 ? 3 + (try bits(2)) : word == 17 ? 3 + (try bits(3)) : 11 + (try bits(7))
            sizes += Array(repeating: size, count: times)
        }
        guard sizes.count == lengths + distances, sizes[256] != 0,
            let first = PrefixCode(sizes[..<lengths]), let second = PrefixCode(sizes[lengths...]),
            first.isComplete || first.isTrivial, second.isComplete || second.isTrivial
        else { throw Stop(outcome: .broken) }
        return (first, second)
    }
}

/// A Huffman code of deflate.
private struct PrefixCode {
    /// How many symbols have codes of each length, 0 to 15.
    private(set) var counts = [Int](repeating: 0, count: 16)
    /// In the order of their codes.
    let symbols: [Int]
    let isComplete: Bool
    /// No code at all, or one of a single bit. zlib accepts these although they are not complete.
    var isTrivial: Bool { counts[2...].allSatisfy { $0 == 0 } }

    static let fixedLengths = PrefixCode(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })!
    static let fixedDistances = PrefixCode([Int](repeating: 5, count: 32))!

    /// Nil if there are more codes than fit.
    init?(_ sizes: some Collection<Int>) {
        for size in sizes { counts[size] += 1 }
        var left = 1
        for count in counts[1...] {
            left = left * 2 - count
            if left < 0 { return nil }
        }
        isComplete = left == 0
        symbols = (1...15).flatMap { size in sizes.enumerated().filter { $0.element == size }.map(\.offset) }
    }
}
