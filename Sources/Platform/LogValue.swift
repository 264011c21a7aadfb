package import JSON

/// The value of a field of a log line. A line in JSON shows an integer as a JSON number, not as a string.
package protocol LogValue: Sendable {
    var logText: String { get }
    func write(_ key: String, to json: inout JSONWriter)
}

extension String: LogValue {
    package var logText: String { self }
    package func write(_ key: String, to json: inout JSONWriter) { json.member(key, self) }
}

extension Int: LogValue {
    package var logText: String { description }
    package func write(_ key: String, to json: inout JSONWriter) { json.member(key, self) }
}
