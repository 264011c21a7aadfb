/// A type that can write itself as JSON.
package protocol JSONWritable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)
}

extension String: JSONWritable {
    package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Int: JSONWritable {
    package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Int64: JSONWritable {
    package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt64: JSONWritable {
    package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Double: JSONWritable {
    package func write(to json: inout JSONWriter) { json.double(self) }
}

extension Bool: JSONWritable {
    package func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes nil as `null`. To leave a member out, do not write it.
    package func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.array { json in
            for element in self { element.write(to: &json) }
        }
    }
}

extension JSONView: JSONWritable {
    /// Copies the value's bytes unchanged, including white space.
    package func write(to json: inout JSONWriter) { json.raw(source) }
}
