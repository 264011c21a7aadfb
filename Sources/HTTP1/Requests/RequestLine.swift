internal import HTTPCore

/// The ranges of the parts of one request line, which have been checked.
struct RequestLine {
    let method: Range<Int>
    let target: RequestTarget
    let version: HTTPVersion

    /// Checks the version first, so that a request in another version gets the error about its version.
    init(_ line: Span<UInt8>) throws(Refusal) {
        guard let (first, second) = Self.spaces(in: line) else { throw .requestLine }
        version = try Self.version(line, (second + 1)..<line.count)
        method = 0..<first
        target = try RequestTarget(line, (first + 1)..<second, for: try Self.checkMethod(line, method))
    }

    /// The indices of the two spaces; nil if there are more or fewer, or if one of the three parts is empty.
    private static func spaces(in line: Span<UInt8>) -> (Int, Int)? {
        var spaces = (first: 0, second: 0)
        var count = 0
        for index in line.indices where line[index] == .space {
            count += 1
            if count == 1 { spaces.first = index } else { spaces.second = index }
        }
        guard count == 2, spaces.first > 0, spaces.second > spaces.first + 1, spaces.second < line.count - 1
        else {
            return nil
        }
        return spaces
    }

    /// Treats HTTP/1.2 and later as 1.1, as RFC 9110 §2.5 requires.
    private static func version(_ line: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> HTTPVersion {
        let word = "http/".utf8
        let name = range.drop { line[$0].isBlank }
        guard name.count >= word.count, zip(name, word).allSatisfy({ line[$0].lowerCased == $1 }) else {
            throw .notHTTP
        }
        guard range.count == 8, line.holds("HTTP/", at: range.lowerBound) else { throw .version }
        let major = line[range.lowerBound + 5]
        let minor = line[range.lowerBound + 7]
        guard major.isDigit, line[range.lowerBound + 6] == UInt8(ascii: "."), minor.isDigit else {
            throw .version
        }
        guard major == UInt8(ascii: "1") else { throw .versionUnsupported }
        return minor == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// Checks the method's syntax. Unknown methods are accepted; the routes answer them.
    ///
    /// - Returns: which forms of target the method allows.
    private static func checkMethod(_ line: Span<UInt8>, _ range: Range<Int>) throws(Refusal) -> RequestTarget.Forms {
        var hasLowerCase = false
        for index in range {
            guard line[index].isToken else { throw .method }
            if line[index].isLowerCase { hasLowerCase = true }
        }
        guard !hasLowerCase else { throw .methodInLowerCase }
        if range.count == 7 {
            if line.holds("CONNECT", at: 0) { return .authority }
            if line.holds("OPTIONS", at: 0) { return .pathOrAsterisk }
        }
        return .path
    }
}

extension Span<UInt8> {
    /// Whether the bytes of `text` are at `index`.
    func holds(_ text: String, at index: Int) -> Bool {
        var index = index
        for byte in text.utf8 {
            guard index < count, self[index] == byte else { return false }
            index += 1
        }
        return true
    }
}
