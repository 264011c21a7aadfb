/// A request of which a script replaces parts: pieces of the path, values of headers, and values in the JSON body.
struct CallTemplate {
    let method: String
    let path: [UInt8]
    var headers: [(name: String, value: String)] = []
    let body: [UInt8]
    /// The places of the replaceable parts.
    private let pieces: [Range<Int>]
    private let values: [Range<Int>]

    /// What comes of it.
    struct Filled {
        var path: [UInt8]
        var headers: [(name: String, value: String)]
        var body: [UInt8]
        /// Whether bytes of the script are in it, so that it can mean anything.
        var hasBytes = false
        /// Whether a value of a header is replaced.
        var hasOddHeader = false
    }

    init(method: String, path: String, headers: String = "", body: [UInt8]) {
        self.method = method
        self.path = Array(path.utf8)
        self.body = body
        self.headers = headers.split(separator: "; ").compactMap { field in
            let parts = field.split(separator: ": ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        pieces = Self.pieces(of: self.path)
        values = Self.values(in: body)
    }

    /// Reads `METHOD PATH`, or `METHOD PATH | HEADERS | BODY`.
    init(line: Substring) {
        let parts = line.split(separator: " |", maxSplits: 2, omittingEmptySubsequences: false)
        let words = parts[0].split(separator: " ", maxSplits: 1)
        demand(words.count == 2, "a row without a method and a path: \(line)")
        func part(_ index: Int) -> String { parts.count > index ? String(parts[index].drop { $0 == " " }) : "" }
        self.init(method: String(words[0]), path: String(words[1]), headers: part(1), body: Array(part(2).utf8))
    }

    /// The number of replaceable parts.
    var places: Int { pieces.count + values.count + headers.count }

    /// Fills the template as the script says: a byte for how much is replaced, then two for each replacement.
    ///
    /// - Parameter shift: how many values after the chosen ones are taken.
    func filled(_ reader: inout ByteReader, shift: UInt8 = 0) -> Filled {
        let amount = reader.byte()
        guard amount >= 32, places > 0 else { return filled([:], &reader) }
        var replaced: [Int: UInt8] = [:]
        for _ in 0...(amount % 3) { replaced[Int(reader.byte()) % places] = reader.byte() &+ shift }
        return filled(replaced, &reader)
    }

    /// Replaces the parts at these places by the values of these numbers.
    func filled(_ replaced: [Int: UInt8], _ reader: inout ByteReader) -> Filled {
        var filled = Filled(path: path, headers: headers, body: body)
        // From the end, so that the places before stay where they are. A value inside a replaced one is gone.
        var lowest = Int.max
        for (place, choice) in replaced.sorted(by: { position(of: $0.key) > position(of: $1.key) }) {
            if place < values.count {
                let range = values[place]
                guard range.upperBound <= lowest else { continue }
                lowest = range.lowerBound
                filled.body.replaceSubrange(range, with: OddValues.json(choice, &reader, &filled.hasBytes))
            } else if place < values.count + pieces.count {
                filled.path.replaceSubrange(
                    pieces[place - values.count], with: OddValues.path(choice, &reader, &filled.hasBytes))
            } else {
                filled.headers[place - values.count - pieces.count].value =
                    OddValues.text(choice, &reader, &filled.hasBytes)
                filled.hasOddHeader = true
            }
        }
        return filled
    }

    /// The order in which parts are replaced.
    private func position(of place: Int) -> Int {
        place < values.count
            ? values[place].lowerBound
            : place < values.count + pieces.count ? pieces[place - values.count].lowerBound : 0
    }

    /// What is between the separators of a path and its query.
    private static func pieces(of path: [UInt8]) -> [Range<Int>] {
        path.split(omittingEmptySubsequences: true) { "/?&=,:".utf8.contains($0) }.map(\.indices)
    }

    /// The values in a JSON text, without the names of members.
    private static func values(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var open: [Int] = []
        var index = 0
        while index < text.count {
            let start = index
            index += 1
            switch text[start] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(start)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if let start = open.popLast() { found.append(start..<index) }
            case UInt8(ascii: "\""):
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index += 1
                if index < text.count, text[index] != UInt8(ascii: ":") { found.append(start..<index) }
            case UInt8(ascii: ","), UInt8(ascii: ":"): break
            default:
                while index < text.count, !",]}".utf8.contains(text[index]) { index += 1 }
                found.append(start..<index)
            }
        }
        return found
    }
}

/// Values that a gateway does not expect.
enum OddValues {
    private static let numbers = [
        "-1", "0", "1", "2", "3", "1000", "65536", "2147483647", "2147483648", "4294967296", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775808", "1e308", "1e-400",
        "-0.0", "0.1", "99999999999999999999999999", "true", "false", "null", "[]", "{}",
        String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
        String(repeating: #"{"a":"#, count: 30) + "1" + String(repeating: "}", count: 30),
        #"{"a":1,"a":2,"":[null]}"#, #"["p1","",1,null]"#, #"{"uniform":["0s","0s"]}"#, #"{"median":"720h","sigma":5}"#,
    ]

    private static let texts = [
        "", " ", "\0", "a\r\nb: c", "\n", "\u{7F}", "\u{1B}[2J", "\u{202E}abc", "\u{FFFD}", "\u{FFFF}", "😀", "é",
        String(repeating: "x", count: 257), String(repeating: "é", count: 2100), String(repeating: "/", count: 70),
        "p1", "p2", "p999", "d1", "d2", "many-3", "f1", "f2", "news", "n1", "n2", "a", "*", ".", "..", "%00", "%2f",
        "%",
        "0s", "1ms", "720h", "8760h", "99999999999999999999h", "-1s", "9223372036854775807ms", "0.5s", "now",
        "9998-12-31T23:59:59.999Z", "0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-02-30T00:00:00Z",
        "/a~1b/0", "~2", "apns", "fcm", "ios", "android", "web", "com.example.app", "shop", "accepted", "background",
        "AAAAAAAAAAAAAAAAAAAAAA==", "tok:d2", "fid2", "https://example.com/a.png", "https://example.com/b.png",
        CallRows.appleToken, "-1", "9223372036854775808", "'a' in topics || 'news' in topics", "1790000001", "5", "10",
    ]

    /// A value in a JSON text. The last two choices are bytes of the script, with and without quotes.
    static func json(_ choice: UInt8, _ reader: inout ByteReader, _ hasBytes: inout Bool) -> [UInt8] {
        let choice = Int(choice)
        if choice < 128 { return Array(numbers[choice % numbers.count].utf8) }
        let bytes = text(UInt8(choice), &reader, &hasBytes)
        if choice == 255 { return Array(bytes.utf8) }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in bytes.utf8 {
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                quoted += Array("\\u00".utf8) + [hex(byte >> 4), hex(byte & 15)]
            } else {
                quoted.append(byte)
            }
        }
        return quoted + [UInt8(ascii: "\"")]
    }

    /// A piece of a path. It has only visible characters, so that the request line stays one.
    static func path(_ choice: UInt8, _ reader: inout ByteReader, _ hasBytes: inout Bool) -> [UInt8] {
        text(choice, &reader, &hasBytes).utf8.flatMap { byte in
            0x21...0x7E ~= byte ? [byte] : [UInt8(ascii: "%"), hex(byte >> 4), hex(byte & 15)]
        }
    }

    static func text(_ choice: UInt8, _ reader: inout ByteReader, _ hasBytes: inout Bool) -> String {
        if choice < 254 { return texts[Int(choice) % texts.count] }
        hasBytes = true
        return String(decoding: reader.bytes(Int(reader.byte())), as: UTF8.self)
    }

    private static func hex(_ digit: UInt8) -> UInt8 { Array("0123456789abcdef".utf8)[Int(digit)] }
}
