/// The value of the `date` header, written once a second.
package struct DateText {
    private var second: Int64 = -1
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func value(at now: Timestamp) -> [UInt8] {
        if second != now.seconds { (second, bytes) = (now.seconds, Array(now.httpDate.utf8)) }
        return bytes
    }
}
