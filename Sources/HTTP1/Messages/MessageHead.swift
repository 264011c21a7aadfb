internal import HTTPCore

/// The header fields read so far, and the values of the ones that frame the message.
struct MessageHead: Sendable {
    var headers = HeaderBlock()
    private(set) var contentLength: Int?
    /// The message has a Transfer-Encoding, which is always exactly `chunked`.
    private(set) var isChunked = false
    /// The Connection field lists `close`.
    private(set) var closes = false
    /// The Connection field lists `keep-alive`.
    private(set) var keepsAlive = false
    /// The Connection field lists `upgrade`.
    private(set) var upgrades = false
    /// The range of the last appended value in `headers.storage`.
    private var last = 0..<0

    /// Appends the field in `line`.
    ///
    /// - Returns: the field if it is a known one; the request parser checks some of them further.
    mutating func append(_ line: Span<UInt8>) throws(Refusal) -> KnownField? {
        let field = try FieldLine(line)
        headers.append(nameCount: field.name.count, valueCount: field.value.count) { output in
            for index in field.name { output.append(line[index].lowerCased) }
            output.append(line.extracting(field.value))
        }
        let place = headers.places[headers.count - 1]
        last = place.value
        guard let known = KnownField(headers.storage[place.name]) else { return nil }
        switch known {
        case .contentLength: try noteContentLength(lastValue)
        case .transferEncoding: try noteTransferEncoding(lastValue)
        case .connection: noteConnection(lastValue)
        case .expect, .host, .upgrade: break
        }
        return known
    }

    /// The value that was appended last.
    var lastValue: ArraySlice<UInt8> { headers.storage[last] }

    /// Whether another message may follow this one on the connection.
    func keepAlive(in version: HTTPVersion) -> Bool {
        guard !closes else { return false }
        return version == .http10 ? keepsAlive : true
    }

    /// Throws if the fields do not determine where the body ends.
    func checkFraming(in version: HTTPVersion) throws(Refusal) {
        guard isChunked else { return }
        guard version != .http10 else { throw .transferEncodingInHTTP10 }
        guard contentLength == nil else { throw .transferEncodingWithLength }
    }

    /// The values of all Upgrade fields as one list in lower case; nil if the Connection field does not list `upgrade`.
    var upgradeOffer: [UInt8]? {
        guard upgrades else { return nil }
        var offer: [UInt8] = []
        for (name, value) in headers where name.elementsEqual(HeaderName.upgrade.bytes) {
            if !offer.isEmpty { offer.append(UInt8(ascii: ",")) }
            offer.append(contentsOf: value.lazy.map(\.lowerCased))
        }
        return offer.isEmpty ? nil : offer
    }

    /// Refuses two lengths even if they are equal: another parser on the path may read only one of them.
    private mutating func noteContentLength(_ value: ArraySlice<UInt8>) throws(Refusal) {
        guard contentLength == nil, !value.contains(UInt8(ascii: ",")) else { throw .contentLengthTwice }
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { throw .contentLength }
        var length = 0
        for digit in value {
            let (tens, isTooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !isTooLarge, !isStillTooLarge else { throw .contentLengthTooLarge }
            length = sum
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(_ value: ArraySlice<UInt8>) throws(Refusal) {
        guard !isChunked else { throw .transferEncodingTwice }
        if let refusal = TransferCoding.refusal(of: value) { throw refusal }
        isChunked = true
    }

    private mutating func noteConnection(_ value: ArraySlice<UInt8>) {
        for option in ListElements(value) {
            if option.equalsIgnoringCase("close") { closes = true }
            if option.equalsIgnoringCase("keep-alive") { keepsAlive = true }
            if option.equalsIgnoringCase("upgrade") { upgrades = true }
        }
    }
}
