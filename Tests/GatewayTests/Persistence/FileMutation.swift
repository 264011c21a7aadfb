import Storage
import TestSupport

/// Changes a database in a way that depends only on a number, so that a failure can be repeated.
struct FileMutation {
    private var random: SeededGenerator

    init(_ number: Int) { random = SeededGenerator(seed: UInt64(number)) }

    /// Overwrites some bytes of the file, or cuts it off.
    mutating func changePages(_ bytes: inout [UInt8]) {
        if Int.random(in: 0..<10, using: &random) == 0 {
            return bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        }
        // Often behind the first page: SQLite finds most changes to the header at once.
        let start = Bool.random(using: &random) ? 0 : min(16_384, bytes.count - 1)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            bytes[Int.random(in: start..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
    }

    static let columns: [(table: String, names: [String])] = [
        ("events", ["first", "last", "bytes"]), ("devices", ["number", "id", "bytes"]),
        ("tracking", ["number", "key", "bytes"]), ("records", ["number", "kind", "key", "bytes"]),
        ("numbers", ["name", "value"]),
    ]
    static let values = [
        "-9223372036854775808", "-1", "0", "1", "4294967296", "9007199254740993", "1152921504606846976",
        "9223372036854775806", "9223372036854775807", "NULL", "1e308", "''", "x''", "'text'", "x'ff'",
        "CAST(x'ff80' AS TEXT)", "printf('%.*c', 100000, 'x')", "zeroblob(100000)", "'h9223372036854775807'",
        "'p18446744073709551615'", "x'ffffffffffffffffff01'",
    ]

    /// Makes a column NULL, extreme or of another type, deletes or copies rows, or changes the version.
    mutating func changeColumns(_ database: Database) throws(StorageError) {
        let table = Self.columns.randomElement(using: &random) ?? Self.columns[0]
        let name = table.names.randomElement(using: &random) ?? table.names[0]
        let value = Self.values.randomElement(using: &random) ?? "0"
        let row = "rowid IN (SELECT rowid FROM \(table.table) ORDER BY random() LIMIT 1)"
        let place = table.table == "numbers" || Bool.random(using: &random) ? "1" : row
        let rest = table.names.dropFirst().joined(separator: ", ")
        let changes = [
            "DELETE FROM \(table.table) WHERE \(place)", "DROP TABLE \(table.table)",
            "PRAGMA user_version = \(["-1", "0", "1", "2147483647"].randomElement(using: &random) ?? "0")",
            "INSERT INTO \(table.table) SELECT \(table.names[0]) + 7, \(rest) FROM \(table.table) WHERE \(place)",
            "ALTER TABLE \(table.table) RENAME COLUMN \(name) TO other",
        ]
        let change = Int.random(in: 0..<20, using: &random)
        let sql =
            changes.indices.contains(change)
            ? changes[change] : "UPDATE \(table.table) SET \(name) = \(value) WHERE \(place)"
        try Self.dropConstraints(of: database)
        try? database.execute(sql)
    }

    /// From now on, columns may be NULL and rows may be equal.
    private static func dropConstraints(of database: Database) throws(StorageError) {
        try database.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
            PRAGMA writable_schema = RESET
            """)
    }

    /// Changes bits of a blob, cuts it off, or makes a number in it extreme.
    mutating func changeBlob(_ database: Database) throws(StorageError) {
        let table = ["events", "devices", "tracking", "records"].randomElement(using: &random) ?? "events"
        let key = table == "events" ? "first" : "number"
        var rows: [(key: StorageValue, bytes: [UInt8])] = []
        try database.prepare("SELECT \(key), bytes FROM \(table)").run { row in
            if case .blob(let bytes) = row[1] { rows.append((row[0], bytes)) }
        }
        guard var row = rows.randomElement(using: &random), !row.bytes.isEmpty else { return }
        change(&row.bytes)
        try database.prepare("UPDATE \(table) SET bytes = ? WHERE \(key) = ?").run([.blob(row.bytes), row.key])
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let largest: [UInt8] = Array(repeating: 0xFF, count: 9) + [1]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeLast(bytes.count - position)
        case 1: bytes.replaceSubrange(position...position, with: largest)
        case 2: bytes.insert(contentsOf: largest, at: position)
        case 3: for _ in 0..<3 { flipBit(&bytes) }
        default: if !changeNumber(&bytes, after: position) { flipBit(&bytes) }
        }
    }

    private mutating func flipBit(_ bytes: inout [UInt8]) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// Replaces the next number of a JSON text. False without one.
    private mutating func changeNumber(_ bytes: inout [UInt8], after position: Int) -> Bool {
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        guard bytes.first == UInt8(ascii: "{"),
            let start = bytes.indices.dropFirst(position).first(where: { isDigit(bytes[$0]) })
        else { return false }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
        let numbers = [
            "-9223372036854775808", "-1", "9223372036854775807", "18446744073709551615", "4294967295", "1e300", "null",
        ]
        bytes.replaceSubrange(start..<end, with: (numbers.randomElement(using: &random) ?? "0").utf8)
        return true
    }
}
