internal import FCM
internal import HTTPCore
internal import PushCore

/// The `date` header, and the headers of nearly all of Google's answers with it. Both are made once a second.
struct DateHeaders {
    private var text: (second: Int64, bytes: [UInt8]) = (-1, [])
    private var google: (second: Int64, block: HeaderBlock) = (-1, HeaderBlock())

    mutating func value(at now: Timestamp) -> [UInt8] {
        if text.second != now.seconds { text = (now.seconds, Array(now.httpDate.utf8)) }
        return text.bytes
    }

    mutating func addDate(to headers: inout HeaderBlock, at now: Timestamp) {
        guard headers.count == GoogleAnswer.headers.count else { return headers.append(.date, value(at: now)[...]) }
        if google.second != now.seconds {
            google = (now.seconds, GoogleAnswer.headers)
            google.block.append(.date, value(at: now)[...])
        }
        headers = google.block
    }
}
