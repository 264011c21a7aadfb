import HTTPCore

/// HPACK (RFC 7541) for answers, whose fields hardly differ from one to the next: what was sent before is an octet a
/// field, and a block like the last one is copied.
///
/// It replaces nghttp2's own, which took 1,100 instructions a field, a quarter of an FCM message's time. Nothing is
/// Huffman coded: it would save octets that loopback does not count.
struct FieldEncoder {
    private var table = FieldTable()
    /// Limits of the table that the peer has not been told of: the lowest since the last block, and the newest.
    private var resizing: (lowest: Int, newest: Int)?
    /// The last block that put nothing into the table: as long as that holds, the same fields are the same octets.
    private var last: (status: Int, headers: HeaderBlock, octets: [UInt8])?

    /// More of the peer's memory than this is not used, however much it offers.
    private static let largestTable = 4096

    /// The peer has acknowledged or changed how large a table it keeps for us.
    mutating func setTableLimit(_ limit: Int) {
        let limit = min(limit, Self.largestTable)
        guard limit != (resizing?.newest ?? table.limit) else { return }
        resizing = (min(limit, resizing?.lowest ?? limit), limit)
        last = nil
    }

    /// Appends the block of an answer.
    mutating func encode(status: Int, _ headers: HeaderBlock, into output: inout [UInt8]) {
        if last?.status == status, last!.headers == headers {
            output += last!.octets
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

    /// A field that is not in the table yet; it is put there unless its value is an answer's own.
    private mutating func append(_ place: HeaderBlock.Place, of headers: HeaderBlock, to output: inout [UInt8]) {
        let known = KnownName.all.first { $0.name.quickKey == place.quickKey && headers.isNamed(place, $0.name) }
        let index = known?.index ?? 0
        if known?.isUnique == true {
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

/// Names of answers' fields that are in the static table (RFC 7541 appendix A), and those whose values never come again.
private struct KnownName {
    let name: HeaderName
    /// 0: not in the table.
    let index: Int
    var isUnique = false

    static let all = [
        KnownName(name: HeaderName("apns-id"), index: 0, isUnique: true),
        KnownName(name: HeaderName("apns-unique-id"), index: 0, isUnique: true),
        KnownName(name: .contentLength, index: 28, isUnique: true),
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
    /// A whole number (§5.1) whose first bits share an octet with `flags`.
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

    /// A string as it is (§5.2).
    fileprivate mutating func append(text: ArraySlice<UInt8>) {
        append(text.count, prefix: 7, flags: 0)
        self += text
    }

    /// Seven statuses are entries of the static table.
    fileprivate mutating func append(status: Int) {
        precondition((100...599).contains(status), "status \(status)")
        if let index = [200, 204, 206, 304, 400, 404, 500].firstIndex(of: status) {
            return append(8 + index, prefix: 7, flags: 0x80)
        }
        append(8, prefix: 4, flags: 0x00)
        append(text: Array(String(status).utf8)[...])
    }
}
