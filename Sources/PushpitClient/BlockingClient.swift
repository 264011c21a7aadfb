package import EventLoop
internal import HTTPCore
internal import PushCore
internal import TLS

/// A blocking client connection for the command line and for tests, over TLS with ALPN h2 or in clear text.
package final class BlockingClient {
    private let socket: BlockingSocket
    private let tls: TLSSession?

    /// Why the connection to the server failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// The status of an HTTP answer that is not the expected one; nil if there was no answer.
        package var status: Int?
        /// Whether nothing listens at the address.
        package var isUnreachable = false
    }

    /// - Parameter authority: the trusted certificate authority in PEM format; nil for clear text.
    package init(to address: SocketAddress, trusting authority: [UInt8]?) throws(Failure) {
        guard let socket = BlockingSocket(to: address) else {
            throw Failure(description: "cannot connect to \(address)", isUnreachable: true)
        }
        self.socket = socket
        guard let authority else {
            tls = nil
            return
        }
        do throws(TLSFailure) {
            let name = address.name ?? (address.host == "127.0.0.1" ? "localhost" : address.host)
            let tls = try TLSSession(
                client: TLSContext(clientTrusting: authority), serverName: name, offering: [.http2])
            self.tls = tls
            while try !tls.handshake() {
                flush()
                let bytes = socket.read()
                guard !bytes.isEmpty else { break }
                try tls.receive(bytes.span) {}
            }
            if try tls.handshake() { return }
        } catch {
            let hint =
                error.reason.includes("certificate verify failed")
                ? "; does --certs name the directory of that gateway?" : ""
            throw Failure(description: "the TLS handshake with \(address) failed: \(error)\(hint)")
        }
        throw Failure(
            description: "the TLS handshake with \(address) failed: the server did not answer or closed the connection")
    }

    /// Throws if no server with a certificate of this authority listens at the address.
    package static func check(_ address: SocketAddress, trusting authority: [UInt8]) throws(Failure) {
        // The gateway reports clients that leave before they have sent anything.
        try BlockingClient(to: address, trusting: authority).send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        do throws(TLSFailure) { try tls?.write(bytes.span) } catch { throw Failure(description: "\(error)") }
        flush()
    }

    /// Sends bytes and returns the next bytes that arrive; empty if the server closed the connection or timed out.
    package func exchange(_ output: [UInt8]) throws(Failure) -> [UInt8] {
        guard let tls else {
            socket.write(output)
            return socket.read()
        }
        do throws(TLSFailure) {
            try tls.write(output.span)
            flush()
            var input: [UInt8] = []
            while try readDecrypted(tls, into: &input) {}
            if input.isEmpty {
                try tls.receive(socket.read().span) {}
                while try readDecrypted(tls, into: &input) {}
            }
            return input
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    private func flush() {
        tls?.drain { bytes in
            var copy: [UInt8] = []
            copy.append(addingCapacity: bytes.count) { $0.append(bytes) }
            socket.write(copy)
        }
    }

    private func readDecrypted(_ tls: TLSSession, into input: inout [UInt8]) throws(TLSFailure) -> Bool {
        var found: [UInt8] = []
        let read = try tls.read { bytes in found.append(addingCapacity: bytes.count) { $0.append(bytes) } }
        input += found
        return read == .data
    }
}
