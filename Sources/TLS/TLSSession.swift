internal import COpenSSL

/// One TLS connection in memory: bytes from the wire go in, bytes for the wire come out. It never sees a socket.
///
/// Owns its `SSL`, which owns both BIOs and keeps the context alive, and the `InputSource` that the incoming BIO reads.
@safe package final class TLSSession {
    let raw: OpaquePointer
    private let incoming: UnsafeMutablePointer<InputSource>
    private let outgoing: OpaquePointer
    let context: TLSContext
    /// The protocols that ALPN may select, best first. The parameter is the server name that the client sent, if any.
    let protocols: (String?) -> [ApplicationProtocol]
    /// Whether a server asks a client for its certificate that has asked for this server name.
    package var asksForCertificate: (_ serverName: String) -> Bool = { _ in true }

    /// The largest plaintext of one TLS record.
    private static let recordSize = 16_384

    /// The outcome of `read`: data was passed on, more input is needed, or the peer sent close_notify.
    package enum Read: Sendable { case data, needsMore, closed }

    package init(
        server context: TLSContext, protocols: @escaping (String?) -> [ApplicationProtocol]
    ) throws(TLSFailure) {
        (unsafe raw, unsafe incoming, unsafe outgoing) = try unsafe Self.make(context)
        self.context = context
        self.protocols = protocols
        unsafe SSL_set_ex_data(raw, 0, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_accept_state(raw)
    }

    /// Makes a client's session. If `offering` is empty, ALPN is not used.
    package init(
        client context: TLSContext, serverName: String, offering: [ApplicationProtocol]
    ) throws(TLSFailure) {
        (unsafe raw, unsafe incoming, unsafe outgoing) = try unsafe Self.make(context)
        self.context = context
        protocols = { _ in [] }
        unsafe SSL_set_connect_state(raw)
        if serverName.contains(where: \.isLetter), !serverName.contains(":") {
            _ = unsafe pushpit_SSL_set_host_name(raw, serverName)
            unsafe SSL_set1_host(raw, serverName)
        } else {
            unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), serverName)
        }
        let names = offering.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
        if !names.isEmpty { unsafe SSL_set_alpn_protos(raw, names, UInt32(names.count)) }
    }

    private static func make(
        _ context: TLSContext
    ) throws(TLSFailure) -> (OpaquePointer, UnsafeMutablePointer<InputSource>, OpaquePointer) {
        ERR_clear_error()
        let source = UnsafeMutablePointer<InputSource>.allocate(capacity: 1)
        unsafe source.initialize(to: InputSource())
        guard let raw = unsafe SSL_new(context.raw), let incoming = unsafe InputBIO.make(source),
            let outgoing = unsafe BIO_new(BIO_s_mem())
        else { throw TLSFailure("make a TLS session") }
        unsafe SSL_set_bio(raw, incoming, outgoing)
        return unsafe (raw, source, outgoing)
    }

    deinit {
        unsafe SSL_free(raw)
        unsafe incoming.deinitialize(count: 1)
        unsafe incoming.deallocate()
    }

    /// Makes bytes from the wire available while `body` runs. `body` should call `handshake` or `read`. Bytes that are
    /// not read are kept for the next call.
    package func receive(
        _ ciphertext: Span<UInt8>, _ body: () throws(TLSFailure) -> Void
    ) throws(TLSFailure) {
        try unsafe ciphertext.withUnsafeBufferPointer { bytes throws(TLSFailure) in
            unsafe incoming.pointee.lend(bytes)
            defer { unsafe incoming.pointee.keepRest() }
            try body()
        }
    }

    /// Continues the handshake; returns true when it is complete.
    package func handshake() throws(TLSFailure) -> Bool {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(raw)
        if result == 1 { return true }
        guard unsafe SSL_get_error(raw, result) == SSL_ERROR_WANT_READ else {
            throw TLSFailure("complete the TLS handshake")
        }
        return false
    }

    /// Decrypts at most one record and passes it to `body`.
    package func read(_ body: (Span<UInt8>) -> Void) throws(TLSFailure) -> Read {
        var result: Int32 = 0
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.recordSize) { buffer in
            ERR_clear_error()
            result = unsafe SSL_read(raw, buffer.baseAddress, Int32(buffer.count))
            if result > 0 { unsafe body(UnsafeBufferPointer(rebasing: buffer[..<Int(result)]).span) }
        }
        if result > 0 { return .data }
        switch unsafe SSL_get_error(raw, result) {
        case SSL_ERROR_WANT_READ: return .needsMore
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: throw TLSFailure("read from the connection")
        }
    }

    /// Encrypts all of `plaintext`. The records are available through `drain`.
    package func write(_ plaintext: Span<UInt8>) throws(TLSFailure) {
        var failure: TLSFailure?
        unsafe plaintext.withUnsafeBufferPointer { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                ERR_clear_error()
                let part = unsafe UnsafeBufferPointer(rebasing: rest)
                let written = unsafe SSL_write(raw, part.baseAddress, Int32(part.count))
                guard written > 0 else {
                    failure = TLSFailure("write to the connection")
                    return
                }
                unsafe rest = rest.dropFirst(Int(written))
            }
        }
        if let failure { throw failure }
    }

    /// Passes the bytes for the wire to `body` and removes them.
    package func drain(_ body: (Span<UInt8>) -> Void) {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe pushpit_BIO_memory(outgoing, &start)
        guard count > 0, let base = unsafe start else { return }
        unsafe UnsafeRawPointer(base).withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            unsafe body(UnsafeBufferPointer(start: bytes, count: count).span)
        }
        _ = unsafe pushpit_BIO_reset(outgoing)
    }

    /// Sends close_notify, which is part of the next `drain`.
    package func shutDown() {
        ERR_clear_error()
        _ = unsafe SSL_shutdown(raw)
        ERR_clear_error()
    }

    /// The protocol that ALPN selected; nil if it was not used.
    package var applicationProtocol: ApplicationProtocol? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(raw, &name, &count)
        let bytes = unsafe UnsafeBufferPointer(start: name, count: Int(count))
        return ApplicationProtocol.allCases.first { unsafe bytes.elementsEqual($0.rawValue.utf8) }
    }

    /// The server name that the client asked for (SNI), in lower case.
    package var serverName: String? {
        unsafe SSL_get_servername(raw, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0).lowercased() }
    }

    package var isResumed: Bool { unsafe SSL_session_reused(raw) == 1 }
    package var version: String { unsafe String(cString: SSL_get_version(raw)) }

    /// The peer's certificate, and whether it is valid now and signed by a trusted authority.
    package var peerCertificate: (der: [UInt8], isTrusted: Bool)? {
        guard let certificate = unsafe SSL_get1_peer_certificate(raw) else { return nil }
        defer { unsafe X509_free(certificate) }
        let count = unsafe i2d_X509(certificate, nil)
        guard count > 0 else { return nil }
        var der = [UInt8](repeating: 0, count: Int(count))
        unsafe der.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            _ = unsafe i2d_X509(certificate, &cursor)
        }
        return (der, unsafe SSL_get_verify_result(raw) == Int(X509_V_OK))
    }
}

@available(*, unavailable) extension TLSSession: Sendable {}
