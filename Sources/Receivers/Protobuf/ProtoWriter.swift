/// Writes a protobuf message.
package struct ProtoWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ field: Int, _ value: UInt64) {
        tag(field, 0)
        Self.append(value, to: &bytes)
    }

    package mutating func fixed(_ field: Int, _ value: UInt64) {
        tag(field, 1)
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    package mutating func bytes(_ field: Int, _ value: some Collection<UInt8>) {
        tag(field, 2)
        Self.append(UInt64(value.count), to: &bytes)
        bytes += value
    }

    package mutating func text(_ field: Int, _ value: String) { bytes(field, value.utf8) }

    package mutating func message(_ field: Int, _ body: (inout ProtoWriter) -> Void) {
        var inner = ProtoWriter()
        body(&inner)
        bytes(field, inner.bytes)
    }

    private mutating func tag(_ field: Int, _ type: UInt64) { Self.append(UInt64(field) << 3 | type, to: &bytes) }

    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }
}
