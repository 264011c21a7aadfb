package import JSON

/// A rendered JSON text that is reused for the next event: the values that differ are overwritten in place, which is
/// cheaper than rendering the text again.
package struct FrameTemplate {
    /// The values that differ from one text to the next.
    package struct Values: Sendable {
        var seq: UInt64
        var time: Timestamp
        var push: UInt64
        /// The number of the notification (`EventData.number`).
        var number: UInt64
        /// The `apns-id` that the gateway has generated; nil if the text has none.
        package var apnsID: RandomID?
        package var apnsUniqueID: RandomID?

        package init(seq: UInt64, time: Timestamp, push: PushID?, number: UInt32 = 0) {
            (self.seq, self.time) = (seq, time)
            self.push = push?.number ?? 0
            self.number = UInt64(number)
        }
    }

    package enum Part: Sendable {
        case seq, time, push, number, apnsID, apnsUniqueID

        /// How many bytes of the JSON value come before and after the digits: quotes, and the letter of an id.
        fileprivate var edges: (Int, Int) {
            switch self {
            case .seq: (0, 0)
            case .time, .apnsID, .apnsUniqueID: (1, 1)
            case .push, .number: (2, 1)
            }
        }
    }

    /// The positions of those values in a text.
    package struct Placeholders: Sendable {
        fileprivate var list: [(part: Part, range: Range<Int>)] = []

        package init() {}

        package mutating func member(
            _ key: String, _ part: Part, to json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
        ) {
            json.key(key)
            let start = json.bytes.count
            write(&json)
            let (before, after) = part.edges
            list.append((part, start + before..<json.bytes.count - after))
        }
    }

    package private(set) var bytes: [UInt8]
    private let marks: Placeholders
    private var values: Values

    package init(_ values: Values, _ write: (inout JSONWriter, inout Placeholders) -> Void) {
        var json = JSONWriter()
        var marks = Placeholders()
        write(&json, &marks)
        bytes = json.finish()
        self.marks = marks
        self.values = values
    }

    /// False if a new value has more or fewer digits than the last one, or more than eight digits
    /// (`Decimal.write`). The text is then unusable and has to be rendered again.
    package mutating func overwrite(_ new: Values) -> Bool {
        let old = values
        values = new
        let marks = marks.list
        var text = bytes.mutableSpan
        for (part, range) in marks {
            let fits =
                switch part {
                case .seq: Self.write(new.seq, over: &text, range, old.seq)
                case .push: Self.write(new.push, over: &text, range, old.push)
                case .number: Self.write(new.number, over: &text, range, old.number)
                case .time: Self.write(new.time, over: &text, range, old.time)
                case .apnsID, .apnsUniqueID: Self.write(part, of: new, over: &text, range)
                }
            if !fits { return false }
        }
        return true
    }

    private static func write(_ part: Part, of new: Values, over text: inout MutableSpan<UInt8>, _ range: Range<Int>)
        -> Bool
    {
        if part == .apnsUniqueID {
            guard let id = new.apnsUniqueID else { return false }
            id.writeLowercase(over: &text, at: range.lowerBound)
        } else {
            guard let id = new.apnsID else { return false }
            id.write(over: &text, at: range.lowerBound)
        }
        return true
    }

    private static func write(
        _ number: UInt64, over text: inout MutableSpan<UInt8>, _ range: Range<Int>, _ old: UInt64
    ) -> Bool {
        number == old || Decimal.write(number, over: &text, range)
    }

    private static func write(
        _ time: Timestamp, over text: inout MutableSpan<UInt8>, _ range: Range<Int>, _ old: Timestamp
    ) -> Bool {
        guard time != old else { return true }
        let digits = [UInt8](capacity: range.count) { time.write(to: &$0) }
        for index in digits.indices { text[range.lowerBound + index] = digits[index] }
        return true
    }
}
