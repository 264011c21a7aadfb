import PushpitTesting
import Storage
import TestSupport

@testable import Gateway

/// A disk of which a script decides when it takes a batch, and whether it does. Nothing is written.
final class CallDisk {
    private var waiting: [(StorageError?) -> Void] = []
    private var fails = false

    /// An empty file, from which every gateway starts. It has no name any more.
    private static let store: Store? = {
        let scratch = Scratch()
        let store = try? Store(directory: scratch.directory)
        _ = try? store?.load()
        return withExtendedLifetime(scratch) { store }
    }()

    func open(_ gateway: Gateway) {
        guard let store = Self.store else { fatalError("no store") }
        do { try gateway.open(store) { [unowned self] _, done in waiting.append(done) } } catch {
            fatalError("the store is not opened: \(error)")
        }
    }

    func act(_ byte: UInt8, _ host: EmbeddedHost) {
        switch byte % 4 {
        case 0: runOne(host)
        case 1: for _ in 0..<10 where !waiting.isEmpty { runOne(host) }
        case 2: fails = true
        default: fails = false
        }
    }

    /// Takes everything, from now on.
    func recover(_ host: EmbeddedHost) {
        fails = false
        for _ in 0..<1000 where !waiting.isEmpty { runOne(host) }
    }

    private func runOne(_ host: EmbeddedHost) {
        guard !waiting.isEmpty else { return }
        let done = waiting.removeFirst()
        done(fails ? StorageError("write", "the disk", because: "it is full") : nil)
        host.settle()
    }
}
