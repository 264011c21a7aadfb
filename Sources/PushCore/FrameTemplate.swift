package import JSON

/// A text that is written again and again with other numbers in it: those are written over, where they stand.
package struct FrameTemplate {
    /// What differs from one to the next.
    package struct Values: Sendable {
        var seq: UInt64
        var time: Timestamp
        var push: UInt64
        var number: UInt64

        package init(seq: UInt64, time: Timestamp, push: PushID?, number: UInt32 = 0) {
            (self.seq, self.time) = (seq, time)
            self.push = push?.number ?? 0
            self.number = UInt64(number)
        }
    }

    package enum Part: Sendable {
        case seq, time, push, number

        /// What stands around it in JSON: quotes, and the letter of a name.
        fileprivate var edges: (Int, Int) {
            switch self {
            case .seq: (0, 0)
            case .time: (1, 1)
            case .push, .number: (2, 1)
            }
        }
    }

    /// Where in a text they stand.
    package struct Marks: Sendable {
        fileprivate var list: [(part: Part, range: Range<Int>)] = []

        package init() {}

        package mutating func member(
            _ key: String, _ part: Part, to json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
        ) {
            json.key(key)
            let start = json.bytes.count
            write(&json)
            let (before, behind) = part.edges
            list.append((part, start + before..<json.bytes.count - behind))
        }
    }

    package private(set) var octets: [UInt8]
    private let marks: Marks
    private var values: Values

    package init(_ values: Values, _ write: (inout JSONWriter, inout Marks) -> Void) {
        var json = JSONWriter()
        var marks = Marks()
        write(&json, &marks)
        octets = json.finish()
        self.marks = marks
        self.values = values
    }

    /// False where one of them is longer or shorter than the last: the text is of no use then.
    package mutating func overwrite(_ new: Values) -> Bool {
        let old = values
        values = new
        let marks = marks.list
        var octets = octets.mutableSpan
        for (part, range) in marks {
            let fits =
                switch part {
                case .seq: Self.write(new.seq, over: &octets, range, old.seq)
                case .push: Self.write(new.push, over: &octets, range, old.push)
                case .number: Self.write(new.number, over: &octets, range, old.number)
                case .time: Self.write(new.time, over: &octets, range, old.time)
                }
            if !fits { return false }
        }
        return true
    }

    private static func write(
        _ number: UInt64, over octets: inout MutableSpan<UInt8>, _ range: Range<Int>, _ old: UInt64
    ) -> Bool {
        number == old || Decimal.write(number, over: &octets, range)
    }

    private static func write(
        _ time: Timestamp, over octets: inout MutableSpan<UInt8>, _ range: Range<Int>, _ old: Timestamp
    ) -> Bool {
        guard time != old else { return true }
        let text = [UInt8](capacity: range.count) { time.write(to: &$0) }
        for index in text.indices { octets[range.lowerBound + index] = text[index] }
        return true
    }
}
