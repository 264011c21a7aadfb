import HTTPCore

/// Encodes the fields of answers with HPACK (RFC 7541). Most answers have the same fields: a field that was sent before
/// takes one byte, and a block equal to the last one is copied.
///
/// It replaces nghttp2's encoder, which took a quarter of the time of an FCM message (docs/notes/field-encoder.md). It
/// does not use Huffman coding, because saving bytes does not matter on a loopback connection.
struct FieldEncoder {
    private var table = FieldTable()
    /// The table sizes that the next block has to announce (RFC 7541 §4.2): the lowest since the last block, and the
    /// newest.
    private var resizing: (lowest: Int, newest: Int)?
    /// The last block, if it did not change the table. Until the table changes, the same fields have the same encoding.
    private var last: (status: Int, headers: HeaderBlock, encoded: [UInt8])?

    /// The largest table to use, even if the peer allows a larger one.
    private static let maximumTableSize = 4096

    /// Call this when the peer changes the size of the table that it keeps for this encoder.
    mutating func setTableLimit(_ limit: Int) {
        let limit = min(limit, Self.maximumTableSize)
        guard limit != (resizing?.newest ?? table.limit) else { return }
        resizing = (min(limit, resizing?.lowest ?? limit), limit)
        last = nil
    }

    /// Appends the header block of an answer.
    mutating func encode(status: Int, _ headers: HeaderBlock, into output: inout [UInt8]) {
        if last?.status == status, last!.headers == headers {
            output += last!.encoded
            return
        }
        announceLimit(to: &output)
        let start = output.count
        output.append(status: status)
        var isRepeatable = true
        for place in headers.places {
            if let index = table.index(of: place, in: headers.storage.span) {
                output.append(index, prefix: 7, flags: 0x80)
            } else {
                isRepeatable = false
                append(place, of: headers, to: &output)
            }
        }
        last = isRepeatable ? (status, headers, Array(output[start...])) : nil
    }

    /// Appends a field that is not in the table, and adds it to the table unless its value rarely repeats.
    private mutating func append(_ place: HeaderBlock.Place, of headers: HeaderBlock, to output: inout [UInt8]) {
        let known = KnownName.all.first { $0.name.quickKey == place.quickKey && headers.isNamed(place, $0.name) }
        let index = known?.index ?? 0
        if known?.rarelyRepeats == true {
            output.append(index, prefix: 4, flags: 0x00)
        } else {
            output.append(index, prefix: 6, flags: 0x40)
            table.insert(place, of: headers.storage)
        }
        if index == 0 { output.append(text: headers.storage[place.name]) }
        output.append(text: headers.storage[place.value])
    }

    private mutating func announceLimit(to output: inout [UInt8]) {
        guard let (lowest, newest) = resizing else { return }
        for limit in lowest == newest ? [newest] : [lowest, newest] {
            table.setLimit(limit)
            output.append(limit, prefix: 5, flags: 0x20)
        }
        resizing = nil
    }
}

/// The names in answers that are in the static table (RFC 7541 appendix A) or whose values rarely repeat.
private struct KnownName {
    let name: HeaderName
    /// The index in the static table; 0 if the name is not in it.
    let index: Int
    /// The value rarely repeats, so adding it to the table would only displace other fields.
    var rarelyRepeats = false

    static let all = [
        KnownName(name: HeaderName("apns-id"), index: 0, rarelyRepeats: true),
        KnownName(name: HeaderName("apns-unique-id"), index: 0, rarelyRepeats: true),
        KnownName(name: .contentLength, index: 28, rarelyRepeats: true),
        KnownName(name: .contentType, index: 31),
        KnownName(name: .date, index: 33),
        KnownName(name: HeaderName("server"), index: 54),
        KnownName(name: HeaderName("vary"), index: 59),
        KnownName(name: HeaderName("cache-control"), index: 24),
        KnownName(name: .allow, index: 22),
        KnownName(name: HeaderName("retry-after"), index: 53),
        KnownName(name: HeaderName("www-authenticate"), index: 61),
    ]
}

extension [UInt8] {
    /// Appends an integer (RFC 7541 §5.1). Its first byte has `flags` in the bits before the prefix.
    mutating func append(_ value: Int, prefix bits: Int, flags: UInt8) {
        let largest = (1 << bits) - 1
        guard value >= largest else { return append(flags | UInt8(value)) }
        append(flags | UInt8(largest))
        var rest = value - largest
        while rest >= 0x80 {
            append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a string literal without Huffman coding (RFC 7541 §5.2).
    fileprivate mutating func append(text: ArraySlice<UInt8>) {
        append(text.count, prefix: 7, flags: 0)
        self += text
    }

    /// Appends `:status`. The static table has entries for seven statuses.
    fileprivate mutating func append(status: Int) {
        precondition((100...599).contains(status), "status \(status)")
        if let index = [200, 204, 206, 304, 400, 404, 500].firstIndex(of: status) {
            return append(8 + index, prefix: 7, flags: 0x80)
        }
        append(8, prefix: 4, flags: 0x00)
        append(text: Array(String(status).utf8)[...])
    }
}
