/// Something with one JSON form.
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
    /// Nil is `null`; to leave a member out, don't write it.
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
    /// Splices the value's own bytes in, white space and all.
    package func write(to json: inout JSONWriter) { json.raw(source) }
}
