internal import HTTPCore

/// One status line's parts; the reason phrase says nothing to a program and is dropped.
struct StatusLine {
    let version: HTTPVersion
    let status: Int

    /// `HTTP/1.x 3DIGIT SP reason`; the last space may be missing where there is no reason, as some servers
    /// have it.
    init(_ line: Span<UInt8>) throws(BadResponse) {
        guard line.count >= 12, line.holds("HTTP/", at: 0), line[5].isDigit, line[6] == UInt8(ascii: "."),
            line[7].isDigit, line[8] == .space
        else { throw .statusLine }
        guard line[5] == UInt8(ascii: "1") else { throw .version }
        version = line[7] == UInt8(ascii: "0") ? .http10 : .http11
        var status = 0
        for index in 9..<12 {
            guard line[index].isDigit else { throw .statusLine }
            status = status * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        guard status >= 100, line.count == 12 || line[12] == .space else { throw .statusLine }
        self.status = status
    }
}
