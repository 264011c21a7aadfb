package import JSON

/// A time in milliseconds since 1970 (UTC), on the gateway's clock.
package struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package var seconds: Int64 { milliseconds / 1000 }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (moment: Self, milliseconds: Int64) -> Self {
        Timestamp(milliseconds: moment.milliseconds + milliseconds)
    }

    /// RFC 3339 with milliseconds: `2026-11-21T04:05:06.789Z`.
    package var description: String {
        String(decoding: [UInt8](capacity: 24) { write(to: &$0) }, as: UTF8.self)
    }

    package func write(to output: inout OutputSpan<UInt8>) {
        let date = civil
        func append(_ number: Int, then separator: Unicode.Scalar) {
            Decimal.append(pair: UInt32(truncatingIfNeeded: number), to: &output)
            output.append(UInt8(ascii: separator))
        }
        Decimal.append(pair: UInt32(truncatingIfNeeded: date.year / 100), to: &output)
        append(date.year % 100, then: "-")
        append(date.month, then: "-")
        append(date.day, then: "T")
        append(date.hour, then: ":")
        append(date.minute, then: ":")
        append(date.second, then: ".")
        let part = UInt32(truncatingIfNeeded: milliseconds - seconds * 1000)
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: part / 100))
        Decimal.append(pair: part % 100, to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    /// The format of HTTP's `date` field (RFC 9110 §5.6.7): `Sat, 21 Nov 2026 04:05:06 GMT`.
    package var httpDate: String {
        let date = civil
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = weekdays[Int(seconds / 86_400) % 7]
        return "\(weekday), \(pad(date.day)) \(months[date.month - 1]) \(pad(date.year, 4)) \(pad(date.hour)):"
            + "\(pad(date.minute)):\(pad(date.second)) GMT"
    }

    private typealias Civil = (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int)

    /// The Gregorian date, counted in eras of 400 years that start on 1 March.
    private var civil: Civil {
        let days = Int(seconds / 86_400) + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let time = Int(seconds % 86_400)
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1,
            time / 3600, time / 60 % 60, time % 60
        )
    }

    private func pad(_ number: Int, _ width: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

extension Timestamp: JSONWritable {
    package func write(to json: inout JSONWriter) { json.plain(24) { write(to: &$0) } }
}

extension JSONWriter {
    package mutating func member(_ key: String, _ value: Timestamp) { member(key, plain: 24) { value.write(to: &$0) } }
}
