/// Parsing of RFC 3339 times.
extension Timestamp {
    /// The milliseconds that can be written as RFC 3339: 1970 to the end of 9999.
    package static let representable: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The milliseconds between two such times.
    package static let distances = -representable.upperBound...representable.upperBound

    /// The times that a clock may be set to: 1970 to the end of 9998. A clock that is set to the end of this range can
    /// run for another year before its years need five digits.
    package static let range = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_370_764_799_999)

    /// Reads `2026-11-21T04:05:06.789Z`. The fraction is optional, and an offset may replace `Z`.
    ///
    /// - Parameter allowsAnyYear: accept all years of four digits, and not only those in `range`.
    package init?(parsing text: String, allowsAnyYear: Bool = false) {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int, after separator: String = "") -> Int64? {
            guard rest.count >= separator.utf8.count + count, rest.starts(with: separator.utf8) else { return nil }
            rest = rest.dropFirst(separator.utf8.count)
            let digits = rest.prefix(count)
            guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        guard let year = number(4), let month = number(2, after: "-"), let day = number(2, after: "-"),
            let hour = number(2, after: "T"), let minute = number(2, after: ":"), let second = number(2, after: ":"),
            allowsAnyYear || 1970...9999 ~= year, 1...12 ~= month, 1...Self.lastDay(year, month) ~= day, hour < 24,
            minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard 1...9 ~= digits.count else { return nil }
            for place in 0..<3 {
                fraction = fraction * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0)
            }
            rest = rest.dropFirst(digits.count)
        }
        var offset: Int64 = 0
        if rest.elementsEqual("Z".utf8) {
            rest = []
        } else {
            let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
            guard let hours = number(2, after: sign < 0 ? "-" : "+"), let minutes = number(2, after: ":"), rest.isEmpty,
                hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes)
        }
        let seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        self.init(milliseconds: seconds * 1000 + fraction)
        guard allowsAnyYear || Self.range.contains(self) else { return nil }
    }

    private static func lastDay(_ year: Int64, _ month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970, in eras of 400 years that start on 1 March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
