/// How the gateway's clock differs from the system's.
package enum ClockSetting: Equatable, Sendable {
    /// It runs ahead of the system's clock; behind it if negative.
    case ahead(milliseconds: Int64)
    case frozen(at: Timestamp)
}

extension ClockSetting: SavedValue {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .ahead(let milliseconds):
            writer.number(0)
            writer.signed(milliseconds)
        case .frozen(let moment):
            writer.number(1)
            writer.signed(moment.milliseconds)
        }
    }

    /// The whole range of times, forward and backward.
    private static let offsets = -Timestamp.range.upperBound.milliseconds...Timestamp.range.upperBound.milliseconds

    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        switch try reader.number() {
        case 0: self = .ahead(milliseconds: try reader.signed(in: Self.offsets))
        case 1: self = .frozen(at: try reader.timestamp())
        default: throw ByteReader.Damage()
        }
    }
}
