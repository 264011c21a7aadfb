/// The key that a client's payload is XORed with (RFC 6455 §5.3). A key of zeros changes nothing.
struct MaskingKey: Sendable {
    private var bytes: SIMD4<UInt8> = .zero

    init() {}

    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 4, "a masking key of \(bytes.count) bytes, not 4")
        self.bytes = SIMD4(bytes)
    }

    /// Shifts in the next byte of the key; a complete key takes four calls.
    mutating func append(_ byte: UInt8) {
        bytes = SIMD4(bytes[1], bytes[2], bytes[3], byte)
    }

    /// Appends `input` XORed with the key, and rotates the key so that it fits the next part of the payload.
    mutating func apply(to input: Span<UInt8>, appendingTo output: inout [UInt8]) {
        let count = input.count
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: count))
        var target = output.mutableSpan
        let (first, second, third, fourth) = (bytes[0], bytes[1], bytes[2], bytes[3])
        var index = 0
        while index + 4 <= count {
            target[start + index] = input[index] ^ first
            target[start + index + 1] = input[index + 1] ^ second
            target[start + index + 2] = input[index + 2] ^ third
            target[start + index + 3] = input[index + 3] ^ fourth
            index += 4
        }
        while index < count {
            let next = bytes[0]
            target[start + index] = input[index] ^ next
            append(next)
            index += 1
        }
    }
}
