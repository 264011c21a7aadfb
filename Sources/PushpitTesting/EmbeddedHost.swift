internal import Gateway
internal import Platform
internal import PushCore

/// A gateway without sockets. The bytes of its one connection go through memory.
final class EmbeddedHost: GatewayHost {
    private let gateway: Gateway
    private let transport = MemoryTransport()
    private let connection: Connection

    init() {
        gateway = Gateway(
            Configuration(), log: Log(format: .text, level: .none), clock: .manual(at: testEpoch), seed: 1)
        connection = gateway.accept(transport, role: .any)
    }

    var url: String? { nil }
    var credentials: TestCredentials? { nil }

    func exchange(_ output: [UInt8]) -> [UInt8] {
        connection.received(output.span)
        return transport.take()
    }

    func advanceClock(milliseconds: Int64) { gateway.advanceClock(by: milliseconds) }

    func events() -> [TestEvent] {
        gateway.events.events(after: 0).map { TestEvent($0, in: gateway) }
    }

    func shutDown() { connection.close() }
}

/// A transport that collects the written bytes until they are taken.
final class MemoryTransport: Transport {
    private var written: [UInt8] = []

    func write(_ bytes: Span<UInt8>) {
        for index in bytes.indices { written.append(bytes[index]) }
    }

    func take() -> [UInt8] {
        defer { written = [] }
        return written
    }

    let pendingBytes = 0
    func startReading() {}
    func stopReading() {}
    func endWriting() {}
    func close() {}
    func reset() {}
}
