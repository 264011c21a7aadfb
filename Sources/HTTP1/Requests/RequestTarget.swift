/// The ranges of a request target's parts in the request line (RFC 9112 §3.2). `init` checks all of them except the
/// authority. `RequestParser` checks that.
struct RequestTarget {
    /// The forms of a target that a method allows. An absolute URL is allowed wherever a path is.
    enum Forms {
        case path
        /// With OPTIONS.
        case pathOrAsterisk
        /// With CONNECT: a host and a port, and nothing else.
        case authority
    }

    /// Path and query. Nil with CONNECT.
    let path: Range<Int>?
    /// The character that an absolute URL leaves out before `path`: `/`, or `*` with OPTIONS. Nil if nothing is
    /// missing.
    let missingPrefix: UInt8?
    /// The host and port of an absolute URL, or of CONNECT. They take precedence over the Host field.
    let authority: Range<Int>?

    init(_ line: Span<UInt8>, _ range: Range<Int>, for forms: Forms) throws(Refusal) {
        for index in range {
            guard line[index].isVisible else { throw .targetCharacter }
            guard line[index] != UInt8(ascii: "#") else { throw .targetFragment }
        }
        if forms == .authority {
            (path, missingPrefix, authority) = (nil, nil, range)
            return
        }
        let isOptions = forms == .pathOrAsterisk
        switch line[range.lowerBound] {
        case UInt8(ascii: "/"):
            path = range
            missingPrefix = nil
            authority = nil
        case UInt8(ascii: "*") where range.count == 1:
            guard isOptions else { throw .targetAsterisk }
            path = range
            missingPrefix = nil
            authority = nil
        default:
            guard let start = Self.authorityStart(line, range) else { throw .target }
            var end = start
            while end < range.upperBound, line[end] != UInt8(ascii: "/"), line[end] != UInt8(ascii: "?") {
                end += 1
            }
            authority = start..<end
            path = end..<range.upperBound
            if end == range.upperBound {
                missingPrefix = UInt8(ascii: isOptions ? "*" : "/")
            } else {
                missingPrefix = line[end] == UInt8(ascii: "/") ? nil : UInt8(ascii: "/")
            }
        }
    }

    /// The index after `http://` or `https://`, in upper or lower case.
    private static func authorityStart(_ line: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for scheme in ["http://", "https://"] where range.count >= scheme.utf8.count {
            if zip(range, scheme.utf8).allSatisfy({ line[$0].lowerCased == $1 }) {
                return range.lowerBound + scheme.utf8.count
            }
        }
        return nil
    }
}
