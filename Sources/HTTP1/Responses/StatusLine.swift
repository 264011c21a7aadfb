internal import HTTPCore

/// The parts of one status line. The reason phrase is dropped, because programs must not use it.
struct StatusLine {
    let version: HTTPVersion
    let status: Int

    /// Parses `HTTP/1.x 3DIGIT SP reason`. Some servers send no reason and leave the last space out too.
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
