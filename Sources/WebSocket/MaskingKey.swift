/// What a client's payload is XORed with (RFC 6455 §5.3); zeros leave it as it is.
struct MaskingKey: Sendable {
    private var bytes: SIMD4<UInt8> = .zero

    init() {}

    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 4, "a mask of \(bytes.count) bytes")
        self.bytes = SIMD4(bytes)
    }

    /// Shifts the key's next byte in; four make a whole key.
    mutating func append(_ byte: UInt8) {
        bytes = SIMD4(bytes[1], bytes[2], bytes[3], byte)
    }

    /// Appends `input` XORed, and turns the key so that the next part of the payload goes on from there.
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
