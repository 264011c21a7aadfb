internal import EventLoop
internal import TLS

/// The client's end of a connection over a socket, with TLS or without.
final class SocketPipe: ClientPipe {
    private var socket: BlockingSocket?
    private let tls: TLSSession?
    private(set) var isEnded = false
    private(set) var wasReset = false
    var isReading = true

    /// How long to wait for a byte, in milliseconds.
    private static let timeout: UInt64 = 5000

    /// - Parameter authority: the trusted certificate authority in PEM format.
    init(to address: SocketAddress, trusting authority: [UInt8], _ options: PipeOptions) throws {
        guard let socket = BlockingSocket(to: address, timeout: Self.timeout) else {
            throw TestFailure(.ended, "nothing listens at \(address)")
        }
        self.socket = socket
        var identity: TLSIdentity?
        var protocols = options.protocols.compactMap(ApplicationProtocol.init)
        switch options.tls {
        case .usual: break
        case .withoutALPN: protocols = []
        case .certificate(let pem): identity = TLSIdentity(certificateChain: pem, privateKey: pem)
        case .off:
            tls = nil
            return
        }
        do {
            let tls = try TLSSession(
                client: TLSContext(clientTrusting: authority, identity: identity), serverName: options.serverName,
                offering: protocols)
            self.tls = tls
            while try !tls.handshake() {
                flush()
                let bytes = socket.read()
                guard !bytes.isEmpty else {
                    throw TestFailure(.ended, "the gateway did not answer or closed the connection")
                }
                try tls.receive(bytes.span) {}
            }
            flush()
        } catch { throw TestFailure(.ended, "the TLS handshake with \(address) failed: \(error)") }
    }

    func write(_ bytes: [UInt8]) throws {
        guard let tls else {
            socket?.write(bytes)
            return
        }
        do throws(TLSFailure) { try tls.write(bytes.span) } catch {
            throw TestFailure(.ended, "cannot write: \(error)")
        }
        flush()
    }

    func read(waits: Bool) throws -> [UInt8] {
        guard isReading, let socket else { return [] }
        var found = decrypted()
        while found.isEmpty, !isEnded,
            socket.wait(alsoFor: nil, milliseconds: waits ? Int32(Self.timeout) : 0).isReadable
        {
            let bytes = socket.read()
            if bytes.isEmpty { isEnded = true }
            guard let tls else { return bytes }
            // The gateway never sends a broken TLS record, so a TLS error counts as the end of the connection.
            do throws(TLSFailure) { try tls.receive(bytes.span) {} } catch { isEnded = true }
            found = decrypted()
        }
        return found
    }

    func endWriting() throws {
        throw TestFailure(.unsupportedHere, "the sending direction of a live connection cannot be ended alone")
    }

    func close() {
        socket = nil
        isEnded = true
    }

    private func flush() {
        tls?.drain { bytes in
            var copy: [UInt8] = []
            copy.append(addingCapacity: bytes.count) { output in
                for index in bytes.indices { output.append(bytes[index]) }
            }
            socket?.write(copy)
        }
    }

    private func decrypted() -> [UInt8] {
        guard let tls else { return [] }
        var found: [UInt8] = []
        var state = TLSSession.Read.data
        while state == .data {
            do throws(TLSFailure) {
                state = try tls.read { bytes in
                    found.append(addingCapacity: bytes.count) { output in
                        for index in bytes.indices { output.append(bytes[index]) }
                    }
                }
            } catch { state = .closed }
        }
        if state == .closed { isEnded = true }
        return found
    }
}
