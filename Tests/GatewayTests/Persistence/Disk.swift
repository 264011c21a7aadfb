import PushpitTesting
import Storage

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

    /// Runs a test body with a gateway that stores its state through such a disk.
    static func run(
        _ change: (inout TestConfiguration) -> Void = { _ in }, _ body: (TestGateway, Disk) throws -> Void
    ) throws {
        let directory = Scratch()
        var configuration = TestConfiguration()
        change(&configuration)
        try TestGateway.run(.embedded, configuration) { gateway in
            let disk = Disk()
            try gateway.embedded.gateway.open(try Store(directory: directory.path)) { disk.take($0, $1) }
            try body(gateway, disk)
        }
    }
}
