/// The percent-encoding of paths, queries and forms.
package enum PercentCode {
    /// The decoded names and values of `a=b&c=d`.
    package static func pairs(_ text: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0]), parts.count == 2 ? decode(parts[1]) : "")
        }
    }

    /// - Parameter isForm: whether `+` stands for a space.
    package static func decode(_ text: some Collection<UInt8>, isForm: Bool = true) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = Hex.decode(Array(rest.prefix(2)).span)
            {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
