package import JSON

/// What an event says beside its names; written when somebody reads it.
package protocol EventData: Sendable {
    /// Writes an object.
    func write(of event: Event, to json: inout JSONWriter, _ marks: inout FrameTemplate.Marks)
    /// What all of it but the marks is made of; nil where it has something of its own.
    var templateKey: TemplateKey? { get }
    /// Its own number.
    var number: UInt32 { get }
    /// As it is kept on a disk; whoever knows such data reads it again.
    func keep(to writer: inout ByteWriter)
}

/// What the data of many events have in common: what a push looks like is the same on each device it comes up on.
package struct TemplateKey: Equatable {
    /// Held, so that no other can have its place in memory.
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
