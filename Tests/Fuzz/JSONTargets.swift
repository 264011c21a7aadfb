import JSON

/// What is accepted is read back as the same, in both styles; what is refused could have gone on up to the offset.
func fuzzJSON(_ bytes: [UInt8]) {
    do throws(JSONError) {
        let document = try JSONDocument(parsing: bytes)
        let value = JSONValue(document.root)
        for style in [JSONWriter.Style.compact, .pretty] {
            var writer = JSONWriter(style)
            writer.value(value)
            let written = writer.finish()
            let again = try? JSONDocument(parsing: written)
            demand(again.map { JSONValue($0.root) } == value, "read back otherwise: \(text(written))")
        }
        let copy = try? JSONDocument(parsing: Array(document.root.source))
        demand(copy.map { JSONValue($0.root) } == value, "the source of the root is another text")
        _ = try? JSONDocument(parsing: bytes, limits: JSONLimits(maximumDepth: 3, maximumBytes: 100))
    } catch {
        demand((0...bytes.count).contains(error.offset), "an error at \(error.offset)")
        demand(!error.sentence(in: bytes).isEmpty, "an error without a sentence")
        demandPrefix(bytes, error)
    }
}

/// Cut at the offset, the text is fine or ends too early.
private func demandPrefix(_ bytes: [UInt8], _ error: JSONError) {
    guard error.reason != .byteOrderMark else { return }
    do throws(JSONError) { _ = try JSONDocument(parsing: Array(bytes[..<error.offset])) } catch let inner {
        // A text over the depth is refused at the bracket, and before it only its end is missing.
        demand(inner.isAtEnd, "refused at \(error.offset), but already before: \(inner)")
    }
}

/// The first line is a pointer, the rest a document: a pointer is written as it was read, and finds what a walk finds.
func fuzzJSONPointer(_ bytes: [UInt8]) {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    guard let pointer = JSONPointer(line) else { return }
    demand(pointer.description.utf8.elementsEqual(line.utf8), "\(line) became \(pointer)")
    demand(JSONPointer(pointer.description) == pointer, "\(pointer) is read back otherwise")
    guard let document = try? JSONDocument(parsing: Array(bytes[end...].dropFirst())) else { return }
    let found = document.root[pointer].map { JSONValue($0) }
    demand(
        found == walk(JSONValue(document.root), pointer.tokens),
        "\(pointer) finds \(String(describing: found))")
}

/// The plain reading of RFC 6901 §4.
private func walk(_ value: JSONValue, _ tokens: [String]) -> JSONValue? {
    var value = value
    for token in tokens {
        switch value {
        case .object:
            guard let inner = value[token] else { return nil }
            value = inner
        case .array(let elements):
            guard let slot = elements.indices.first(where: { String($0).utf8.elementsEqual(token.utf8) })
            else { return nil }
            value = elements[slot]
        case .null, .bool, .int, .double, .string: return nil
        }
    }
    return value
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
