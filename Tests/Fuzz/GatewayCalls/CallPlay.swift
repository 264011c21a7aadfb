import PushCore
import WebSocket

@testable import Gateway
@testable import PushpitTesting

/// A gateway, the clients of a script, and what has to hold of it.
final class CallPlay {
    /// The bits of the options.
    private enum Option: UInt8 {
        case slowClock, disk, smallLog, manualTurns, refusesUnknown, quotas, smallLimits, strict
    }

    enum Client {
        case http(TestConnection)
        case phone(TestPhone)
    }

    struct Sent {
        let call: TestCall
        let isControl: Bool
        let isPush: Bool
    }

    let salt: UInt8
    let test: TestGateway
    let disk: CallDisk?
    let logCapacity: Int
    let bodyMemory: Int
    var clients: [Client?] = Array(repeating: nil, count: 6)
    /// Connections on which the script has sent more than whole requests, so that answers may belong to anything.
    var odd: Set<Int> = []
    var sent: [Sent] = []
    /// Whether every accepted push has to be in the list.
    var keepsPushes = true
    /// Whether no fault breaks what the gateway sends.
    var isFaultless = true

    /// - Parameter salt: a number that depends on the whole script.
    init(options: UInt8, salt: UInt8) {
        self.salt = salt
        func isSet(_ option: Option) -> Bool { options >> option.rawValue & 1 == 1 }
        var configuration = TestConfiguration()
        configuration.logsDebug = true
        configuration.acceptsUnknownDevices = !isSet(.refusesUnknown)
        configuration.enforcesQuotas = isSet(.quotas)
        configuration.authentication = isSet(.strict) ? .strict : .lenient
        configuration.validation = isSet(.strict) ? .service : .strict
        if isSet(.smallLog) {
            configuration.logCapacity = 60
            configuration.logByteCapacity = 8000
            configuration.eventLifetime = .seconds(3600)
            keepsPushes = false
        }
        if isSet(.smallLimits) {
            configuration.deviceCapacity = 4
            configuration.waitingByteCapacity = 2000
            configuration.bodyMemory = 3000
            configuration.streamLimit = 3
        }
        logCapacity = configuration.logCapacity
        bodyMemory = configuration.bodyMemory
        test = TestGateway(configuration)
        disk = isSet(.disk) ? CallDisk() : nil
        if let disk { disk.open(gateway) }
        host.takesTurnsManually = isSet(.manualTurns)
        if isSet(.slowClock) {
            var now: UInt64 = 0
            gateway.turn.readTime = {
                now += 200_000
                return now
            }
        }
    }

    var host: EmbeddedHost { test.embedded }
    var gateway: Gateway { host.gateway }

    func step(_ reader: inout ByteReader) {
        let byte = reader.byte()
        let index = Int(byte & 7) % clients.count
        switch byte >> 3 {
        case 0...12: request(index & 3, count: 1, &reader)
        case 13, 14: vary(index & 3, &reader)
        case 15: request(index & 3, count: 2 + Int(reader.byte() % 8), &reader)
        case 16...20: message(4 + index % 2, &reader)
        case 21: write(Array(reader.bytes(Int(reader.byte()))), to: index)
        case 22: write(FrameScript.frame(&reader), to: index % 2)
        case 23: write(webSocketFrame(&reader), to: 4 + index % 2)
        case 24: setReading(index, reader.byte())
        case 25: end(index, reader.byte())
        case 26: takeTurns(Int(reader.byte() % 32))
        case 27, 28: pass(milliseconds: [1, 10, 100, 500, 1000, 5000, 31_000, 76_000][Int(reader.byte() % 8)])
        case 29: test.advanceClock(by: .seconds([0, 1, 10, 60, 3600, 86_400][Int(reader.byte() % 6)]))
        default: disk?.act(reader.byte(), host)
        }
        demandLimits()
    }

    private func message(_ index: Int, _ reader: inout ByteReader) {
        let template = CallRows.messages[Int(reader.byte()) % CallRows.messages.count]
        let filled = template.filled(&reader)
        guard let phone = phone(index) else { return }
        attempt(index) {
            try phone.send(frame: .text, filled.body)
            try phone.poll()
        }
    }

    /// Sends bytes that need not mean anything.
    func write(_ bytes: [UInt8], to index: Int) {
        (keepsPushes, isFaultless) = (false, false)
        odd.insert(index)
        attempt(index) {
            if index < 4 { try connection(index)?.write(bytes) } else { try phone(index)?.write(bytes) }
        }
    }

    /// A frame whose length is right, with a mask of zeros.
    private func webSocketFrame(_ reader: inout ByteReader) -> [UInt8] {
        let head = reader.byte()
        let payload = reader.bytes(Int(reader.byte() % 126))
        return [head, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    /// Stops or continues reading, or reads a part.
    private func setReading(_ index: Int, _ byte: UInt8) {
        switch clients[index] {
        case .http(let connection):
            if byte % 3 == 0 { connection.isReading = false } else { connection.isReading = true }
        case .phone(let phone): phone.isReading = byte % 3 != 0
        case nil: break
        }
    }

    private func end(_ index: Int, _ byte: UInt8) {
        switch (clients[index], byte % 3) {
        case (.http(let connection)?, 0): try? connection.endWriting()
        case (.phone(let phone)?, 0): try? phone.send(frame: .close, [3, 232])
        case (.phone, 1): gateway.connections.all.forEach { $0.shutDown() }
        default: drop(index)
        }
    }

    private func takeTurns(_ count: Int) {
        for _ in 0..<count where host.takeTurn() { host.settle() }
    }

    func pass(milliseconds: Int) { test.advanceLoopTime(.milliseconds(milliseconds)) }
}
