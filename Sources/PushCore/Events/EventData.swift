package import JSON

/// The data of an event beyond the members that every event has. It is rendered only when the event is read.
package protocol EventData: Sendable {
    /// Writes the data as a JSON object, and records in `marks` the positions of the values that differ between events.
    func write(of event: Event, to json: inout JSONWriter, _ marks: inout FrameTemplate.Placeholders)
    /// Data with equal keys renders to the same text, except at the marks. Nil if the text can't be reused.
    var templateKey: TemplateKey? { get }
    /// The number of the notification that the event shows, counted on its device; 0 for other events. It is written at
    /// the marks for `FrameTemplate.Part.number`.
    var number: UInt32 { get }
    /// Encodes the data for storage on disk. The target that defines the type decodes it.
    func encode(to writer: inout ByteWriter)
}

/// Identifies data that renders to the same text. A push looks the same on every device that shows it.
package struct TemplateKey: Equatable {
    /// Retained, so that no other object can get the same address as long as this key exists.
    private let source: AnyObject?
    package let variant: UInt8

    package init(of source: AnyObject?, _ variant: UInt8) {
        self.source = source
        self.variant = variant
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.source === other.source && one.variant == other.variant
    }
}

/// A value in an event's data.
package enum JSONScalar: Sendable, Equatable {
    case string(String)
    case int(Int64)
    case bool(Bool)
}

extension JSONScalar: JSONWritable {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .string(let text): json.string(text)
        case .int(let number): json.integer(number)
        case .bool(let isTrue): json.bool(isTrue)
        }
    }
}
