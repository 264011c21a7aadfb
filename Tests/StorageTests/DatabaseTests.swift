import Storage
import TestSupport
import Testing

@Suite struct DatabaseTests {
    static let values: [StorageValue] = [
        .null, .integer(.min), .integer(.max), .text(""), .text("Grüße 🚀"), .blob([]), .blob([0, 255]),
    ]

    @Test(arguments: values) func `a value is read back unchanged`(value: StorageValue) throws {
        let file = Scratch()
        let database = try Database(path: file.path)
        try database.execute("CREATE TABLE stored (value)")
        try database.prepare("INSERT INTO stored VALUES (?)").run([value])
        var rows: [[StorageValue]] = []
        try database.prepare("SELECT value FROM stored").run { rows.append($0) }
        #expect(rows == [[value]])
    }

    @Test func `rows are still there when the file is opened again`() throws {
        let file = Scratch()
        do {
            let database = try Database(path: file.path)
            try database.execute("CREATE TABLE stored (number)")
            let insert = try database.prepare("INSERT INTO stored VALUES (?)")
            for number in 1...3 { try insert.run([.integer(Int64(number))]) }
        }
        var rows: [[StorageValue]] = []
        try Database(path: file.path).prepare("SELECT sum(number), count(*) FROM stored").run { rows.append($0) }
        #expect(rows == [[.integer(6), .integer(3)]])
    }

    @Test func `a transaction that throws writes nothing`() throws {
        let file = Scratch()
        let database = try Database(path: file.path)
        try database.execute("CREATE TABLE stored (number UNIQUE)")
        #expect(throws: StorageError.self) {
            try database.transaction { () throws(StorageError) in
                let insert = try database.prepare("INSERT INTO stored VALUES (?)")
                try insert.run([.integer(1)])
                try insert.run([.integer(1)])
            }
        }
        var rows: [[StorageValue]] = []
        try database.prepare("SELECT count(*) FROM stored").run { rows.append($0) }
        #expect(rows == [[.integer(0)]])
    }

    @Test func `an error names the operation and its subject`() throws {
        #expect { try Database(path: "/nowhere/at/all.db") } throws: {
            "\($0)".contains("cannot open /nowhere/at/all.db")
        }
        let file = Scratch()
        let database = try Database(path: file.path)
        #expect { try database.prepare("SELEC 1") } throws: { "\($0)".contains("cannot prepare SELEC 1: ") }
        #expect { try database.prepare("SELECT 1").run([.integer(1)]) } throws: { "\($0)".contains("bind a value") }
    }
}
