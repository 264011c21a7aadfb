package import JSON

/// What an event says beside its names; written when somebody reads it.
package protocol EventData: Sendable {
    /// Writes an object.
    ///
    /// - Parameter shared: what the last one had in common with others, to be written again where this one has it too.
    func write(of event: Event, to json: inout JSONWriter, _ shared: inout SharedMembers)
    /// As it is kept on a disk; whoever knows such data reads it again.
    func keep(to writer: inout ByteWriter)
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
