internal import JSON
package import PushCore

/// Saving and restoring a fault: the JSON text that created it, and its counters.
extension Fault: SavedValue {
    package func write(to writer: inout ByteWriter) {
        writer.text(id)
        writer.byteArray(source)
        writer.optional(scenario)
        writer.signed(since.milliseconds)
        writer.number(seed)
        writer.number(UInt64(seen))
        writer.number(UInt64(fired))
        chance.write(to: &writer)
    }

    package convenience init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (id, source, scenario) = (try reader.text(), try reader.byteArray(), try reader.optional())
        let (since, seed) = (try reader.timestamp(), try reader.number())
        guard Self.number(ofID: id) != nil, let json = (try? JSONDocument(parsing: source))?.root else {
            throw ByteReader.Damage()
        }
        do throws(ControlProblem) {
            try self.init(json, id: id, scenario: scenario, at: since, seed: seed)
        } catch { throw ByteReader.Damage() }
        (seen, fired, chance) = (try reader.count(), try reader.count(), try Random(from: &reader))
    }

    /// The number in an id; nil if it is not the id of a fault.
    static func number(ofID id: String) -> Int? {
        guard id.hasPrefix("f"), let number = Int(id.dropFirst()), 1...largestNumber ~= number else { return nil }
        return number
    }

    package static let largestNumber = 1 << 53

    /// The key of the record with the count for one token.
    func countKey(_ token: String) -> String { "\(id) \(token)" }

    /// The id and the token in a key that `countKey` made.
    static func parts(ofCountKey key: String) -> (id: String, token: String)? {
        guard let space = key.utf8.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        return (String(key[..<space]), String(key[key.utf8.index(after: space)...]))
    }
}
