/// Reading everything that is stored, and checking that each column has a value of its kind.
extension StoreFile {
    func load() throws(StorageError) -> Store.Contents {
        var faults: [String] = []
        try database.prepare("PRAGMA quick_check(1)").run { row in
            if case .text(let text)? = row.first, text != "ok" { faults.append(text) }
        }
        if let fault = faults.first { throw .damaged(database.path, fault) }
        var contents = Store.Contents()
        let (events, refused) = (try readPieces("events"), try readPieces("refused"))
        (contents.events, contents.refused) = (events.pieces, refused.pieces)
        contents.lastEvent = max(events.last, refused.last)
        try read("devices", ["number", "id", "bytes"]) { row in
            guard row[0].isNumber, case .text = row[1], case .blob(let bytes) = row[2] else { return false }
            contents.devices.append(bytes)
            return true
        }
        try read("tracking", ["number", "key", "bytes"]) { row in
            guard row[0].isNumber, case .text(let key) = row[1], case .blob(let bytes) = row[2] else { return false }
            contents.tracking.append((key, bytes))
            return true
        }
        try read("records", ["number", "kind", "key", "bytes"]) { row in
            guard row[0].isNumber, case .text(let kind) = row[1], case .text(let key) = row[2],
                case .blob(let bytes) = row[3]
            else { return false }
            contents.records.append((kind, key, bytes))
            return true
        }
        try read("numbers", ["name", "value"]) { row in
            guard case .text(let name) = row[0], case .integer(let value) = row[1] else { return false }
            contents.numbers[name] = value
            return true
        }
        try read("identity", ["number"]) { row in
            guard case .integer(let number) = row[0] else { return false }
            contents.identity = number
            return true
        }
        return contents
    }

    /// Reads a table of events. Returns the number of the newest, too; 0 without events.
    private func readPieces(_ table: String) throws(StorageError) -> (pieces: [[UInt8]], last: Int64) {
        var pieces: [[UInt8]] = []
        var newest: Int64 = 0
        try read(table, ["first", "last", "bytes"]) { row in
            guard case .integer(let first) = row[0], case .integer(let last) = row[1], case .blob(let bytes) = row[2],
                first > newest, last >= first, last <= Store.largestNumber
            else { return false }
            newest = last
            pieces.append(bytes)
            return true
        }
        return (pieces, newest)
    }

    /// Reads a table in the order of its first column. Throws if `take` returns false for a row.
    private func read(_ table: String, _ columns: [String], _ take: ([StorageValue]) -> Bool) throws(StorageError) {
        var damaged: StorageValue?
        let names = columns.joined(separator: ", ")
        try database.prepare("SELECT \(names) FROM \(table) ORDER BY \(columns[0])").run { row in
            if damaged == nil, !take(row) { damaged = row[0] }
        }
        guard let damaged else { return }
        throw .damaged(
            database.path,
            "a column of the table \(table) has the wrong type or is out of range, where \(columns[0]) is \(damaged.shown)"
        )
    }
}

extension StorageValue {
    /// Whether it can be the number of a row. SQLite gives rows the numbers 1, 2, 3 and so on.
    fileprivate var isNumber: Bool {
        if case .integer(1...Store.largestNumber) = self { true } else { false }
    }

    /// For an error.
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text.prefix(80))'"
        case .blob(let bytes): "a blob of \(bytes.count) bytes"
        }
    }
}
