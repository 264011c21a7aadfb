import PushpitTesting
import Storage
import TestSupport
import Testing

@testable import Gateway

/// Work for a disk that waits until the test lets it run.
final class Disk {
    private var jobs: [(work: @Sendable () -> StorageError?, done: (StorageError?) -> Void)] = []
    /// What the disk answers instead of writing.
    var failure: StorageError?

    var count: Int { jobs.count }

    func take(_ work: @escaping @Sendable () -> StorageError?, _ done: @escaping (StorageError?) -> Void) {
        jobs.append((work, done))
    }

    /// Runs the oldest batch.
    func runOne(in host: EmbeddedHost) {
        guard !jobs.isEmpty else { return }
        let job = jobs.removeFirst()
        job.done(failure ?? job.work())
        host.settle()
    }

    /// Runs batches until none is left.
    func runAll(in host: EmbeddedHost) { while !jobs.isEmpty { runOne(in: host) } }

    /// Calls the control API, which answers a change when the disk has it. Returns the JSON of the answer.
    @discardableResult func ask(
        _ gateway: TestGateway, _ method: String, _ path: String, _ body: TestJSON? = nil, status: Int = 200
    ) throws -> TestJSON {
        let call = try gateway.start(method, "/api/v1" + path, body: body?.bytes ?? [])
        runAll(in: gateway.embedded)
        let answer = try call.answer()
        #expect(answer.status == status, "\(method) \(path): \(answer.text)")
        return answer.json
    }

    /// Runs a test body with a gateway that stores its state through such a disk.
    static func run(
        _ change: (inout TestConfiguration) -> Void = { _ in }, _ body: (TestGateway, Disk) throws -> Void
    ) throws {
        try run(in: Scratch(), change, body)
    }

    /// The same in a directory that an earlier gateway may have used. The gateway's end is that of a process that is
    /// killed: nothing is written that no batch has written.
    static func run(
        in directory: Scratch, _ change: (inout TestConfiguration) -> Void = { _ in },
        _ body: (TestGateway, Disk) throws -> Void
    ) throws {
        var configuration = TestConfiguration()
        change(&configuration)
        try TestGateway.run(.embedded, configuration) { gateway in
            let disk = Disk()
            try gateway.embedded.gateway.open(try Store(directory: directory.directory)) { disk.take($0, $1) }
            try body(gateway, disk)
        }
    }
}
