import Platform
import PushpitTesting
import Storage
import TestSupport
import Testing

@testable import Gateway

/// 600 databases that somebody or something has changed. Each is refused as damaged, or works.
@Suite struct MutatedFileTests {
    /// Each batch has twenty files of one kind.
    @Test(arguments: 0..<30) func `a changed file is refused, or is opened and used`(batch: Int) throws {
        try #require(SampleFile.bytes.count > 16_384)
        for number in batch * 20..<batch * 20 + 20 {
            let directory = Scratch()
            try Self.make(number, in: directory)
            Self.use(directory, number)
        }
    }

    @Test func `the file has rows of every kind and is opened unchanged`() throws {
        let directory = Scratch()
        try Files.write(SampleFile.bytes, to: directory.path("pushpit.db"), mode: 0o600)
        let contents = try Store(directory: directory.directory).load()
        let kinds = Set(contents.records.map(\.kind))
        #expect(
            kinds == [
                "apns-key", "channel", "clock", "fault", "fault-count", "late-push", "media", "service-account",
            ])
        #expect(Set(contents.tracking.map { $0.key.prefix(1) }) == ["h", "p"])
        #expect(!contents.events.isEmpty && contents.devices.count == 2 && contents.numbers.count == 5)
        #expect(Self.use(directory, -1))
    }

    /// A number, and the word for it in the error.
    @Test(arguments: [
        (
            "UPDATE numbers SET value = 9223372036854775807 WHERE name = 'seq'",
            "the number 'seq' is 9223372036854775807"
        ),
        ("UPDATE numbers SET value = -1 WHERE name = 'pushes'", "the number 'pushes' is -1"),
        ("UPDATE numbers SET value = 'x' WHERE name = 'hits'", "the table numbers"),
        ("UPDATE events SET last = 9223372036854775807", "the table events"),
        ("UPDATE events SET last = last + 1000 WHERE first = (SELECT max(first) FROM events)", "but lacks that event"),
        ("UPDATE devices SET number = 9223372036854775807 WHERE id = 'p'", "the table devices"),
        ("UPDATE tracking SET key = CAST(x'ff' AS TEXT) WHERE key = 'h0'", "the table tracking"),
        ("UPDATE tracking SET key = 'q1' WHERE key = 'h0'", "a damaged tracking row with the key 'q1'"),
        (
            "UPDATE records SET bytes = x'' WHERE kind = 'media'",
            "a damaged 'media' record with the key 'https://e.com/a.png'"
        ),
        ("UPDATE devices SET bytes = x'' WHERE id = 'p'", "a damaged device (number 1 of 2)"),
        ("DROP TABLE tracking", "no such table: tracking"),
        ("PRAGMA user_version = -1", "the version of its tables is -1"),
    ])
    func `a value out of range is named`(sql: String, words: String) throws {
        let directory = Scratch()
        try Files.write(SampleFile.bytes, to: directory.path("pushpit.db"), mode: 0o600)
        do { try Database(path: directory.path("pushpit.db")).execute(sql) }
        let error = #expect(throws: StorageError.self) { try Disk.run(in: directory) { _, _ in } }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("cannot read \(directory.path("pushpit.db")): the file is damaged: "), "\(text)")
        #expect(text.contains(words) && text.contains("move the file away"), "\(text)")
    }

    private static func make(_ number: Int, in directory: Scratch) throws {
        var mutation = FileMutation(number)
        var bytes = SampleFile.bytes
        let path = directory.path("pushpit.db")
        if number < 200 { mutation.changePages(&bytes) }
        try Files.write(bytes, to: path, mode: 0o600)
        guard number >= 200 else { return }
        let database = try Database(path: path)
        if number < 400 { try mutation.changeColumns(database) } else { try mutation.changeBlob(database) }
    }

    /// Opens the file and uses what is in it. False if it is refused.
    @discardableResult private static func use(_ directory: Scratch, _ number: Int) -> Bool {
        do {
            try Disk.run(in: directory) { gateway, disk in
                let calls = [
                    try gateway.startPush(to: SampleFile.token),
                    try SampleFile.message(gateway, ["topic": "news", "data": ["k": "v"]]),
                    try api(gateway, "POST", "/devices", ["platform": "ios", "app": "a.b"]),
                    try api(gateway, "PATCH", "/devices/p", ["state": ["online": true]]),
                    try gateway.start("GET", "/r/?id=h138a,56c4,1&mcId=E"),
                    try api(gateway, "POST", "/faults", ["effect": ["delay": "1s"]]),
                ]
                disk.runAll(in: gateway.embedded)
                for call in calls { _ = try call.answerSoFar() }
                gateway.advanceClock(by: .seconds(7200))
                disk.runAll(in: gateway.embedded)
                for path in ["/devices", "/messages", "/tracking", "/topics", "/faults", "/clock", "/devices/p/shade"] {
                    let status = try api(gateway, "GET", path).answer().status
                    #expect([200, 404].contains(status), "mutation \(number): \(path)")
                }
                gateway.embedded.gateway.saveAll()
            }
            return true
        } catch let error as StorageError {
            #expect(
                error.operation == "read" || error.message.contains("newer Pushpit"), "mutation \(number): \(error)")
        } catch { Issue.record("mutation \(number): \(error)") }
        return false
    }

    private static func api(_ gateway: TestGateway, _ method: String, _ path: String, _ body: TestJSON? = nil) throws
        -> TestCall
    { try gateway.start(method, "/api/v1" + path, body: body?.bytes ?? []) }
}
