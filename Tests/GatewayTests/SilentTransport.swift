@testable import Gateway

/// A connection whose kernel takes everything at once, so that it never reports that it has room again.
final class SilentTransport: Transport {
    private(set) var written = 0

    var pendingBytes: Int { 0 }
    func write(_ bytes: Span<UInt8>) { written += bytes.count }
    func startReading() {}
    func stopReading() {}
    func endWriting() {}
    func close() {}
    func reset() {}
}
