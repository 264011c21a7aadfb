internal import COpenSSL

/// Owns an `SSL_CTX`. Sessions keep their context alive; reloading the certificates makes a new context for new
/// connections.
@safe package final class TLSContext {
    let raw: OpaquePointer
    /// Contexts for the other identities. One is chosen if the server name that the client asks for (SNI) is in its
    /// certificate.
    private var others: [TLSContext] = []

    /// Makes a context for a server. The server asks for a client certificate, but does not require one. The APNs code
    /// checks it later.
    ///
    /// - Parameters:
    ///   - identities: the first one is the default.
    ///   - clientAuthority: the PEM certificates of authorities that the server names when it asks for a client
    ///     certificate.
    package convenience init(server identities: [TLSIdentity], clientAuthority: [UInt8]) throws(TLSFailure) {
        try self.init(server: identities[0], authority: clientAuthority)
        for identity in identities.dropFirst() {
            others.append(try TLSContext(server: identity, authority: clientAuthority))
        }
        unsafe pushpit_SSL_CTX_on_server_name(raw) { ssl, _, _ in
            unsafe TLSSession.of(ssl)?.chooseIdentity()
            return SSL_TLSEXT_ERR_OK
        }
    }

    private init(server identity: TLSIdentity, authority: [UInt8]) throws(TLSFailure) {
        TLSLibrary.clearErrors()
        guard let raw = unsafe SSL_CTX_new(TLS_server_method()) else { throw TLSFailure("make a TLS context") }
        unsafe self.raw = raw
        try configure()
        try use(identity)
        try trust(authority, asClientAuthority: true)
        // The handshake accepts every client certificate, because APNs answers a bad one with an HTTP response.
        unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER) { _, _ in 1 }
        let label = Array("pushpit".utf8)
        unsafe SSL_CTX_set_session_id_context(raw, label, UInt32(label.count))
        unsafe SSL_CTX_set_num_tickets(raw, 1)
        unsafe SSL_CTX_set_alpn_select_cb(
            raw,
            { ssl, chosen, chosenCount, offered, offeredCount, _ in
                unsafe TLSSession.of(ssl)?.chooseProtocol(
                    UnsafeBufferPointer(start: offered, count: Int(offeredCount)), chosen, chosenCount)
                    ?? SSL_TLSEXT_ERR_NOACK
            }, nil)
    }

    /// Makes a context for a client. Without an authority, the server's certificate is not checked.
    package init(clientTrusting authority: [UInt8]?, identity: TLSIdentity? = nil) throws(TLSFailure) {
        TLSLibrary.clearErrors()
        guard let raw = unsafe SSL_CTX_new(TLS_client_method()) else { throw TLSFailure("make a TLS context") }
        unsafe self.raw = raw
        try configure()
        if let identity { try use(identity) }
        if let authority {
            try trust(authority, asClientAuthority: false)
            unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
        }
    }

    deinit { unsafe SSL_CTX_free(raw) }

    /// The context whose certificate is valid for `serverName`; this context if none is.
    func context(for serverName: String) -> TLSContext {
        func hasName(_ context: TLSContext) -> Bool {
            let certificate = unsafe SSL_CTX_get0_certificate(context.raw)
            return unsafe X509_check_host(certificate, serverName, serverName.utf8.count, 0, nil) == 1
        }
        return hasName(self) ? self : others.first(where: hasName) ?? self
    }

    /// Whether one of the certificates is valid for this host name or address.
    package func isValid(for host: String) -> Bool {
        let certificate = unsafe SSL_CTX_get0_certificate(raw)
        let isName = unsafe X509_check_host(certificate, host, host.utf8.count, 0, nil) == 1
        let isAddress = unsafe X509_check_ip_asc(certificate, host, 0) == 1
        TLSLibrary.clearErrors()
        return isName || isAddress || others.contains { $0.isValid(for: host) }
    }

    private func configure() throws(TLSFailure) {
        guard unsafe pushpit_SSL_CTX_set_min_tls12(raw) == 1 else { throw TLSFailure("require TLS 1.2") }
        unsafe pushpit_SSL_CTX_set_mode(
            raw, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        unsafe pushpit_SSL_CTX_set_options(raw)
        // Session tickets let clients resume, so the server does not need to keep sessions of closed connections.
        _ = unsafe pushpit_SSL_CTX_disable_session_cache(raw)
    }

    private func use(_ identity: TLSIdentity) throws(TLSFailure) {
        let chain = try unsafe readCertificates(identity.certificateChain)
        defer { for index in unsafe chain.indices { unsafe X509_free(chain[index]) } }
        guard let leaf = unsafe chain.first else { throw TLSFailure("read the certificate") }
        guard unsafe SSL_CTX_use_certificate(raw, leaf) == 1 else { throw TLSFailure("use the certificate") }
        for index in unsafe chain.indices.dropFirst() {
            let certificate = unsafe chain[index]
            guard unsafe X509_up_ref(certificate) == 1,
                unsafe SSL_CTX_ctrl(raw, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(certificate)) == 1
            else { throw TLSFailure("use the certificate chain") }
        }
        let bio = unsafe BIO_new_mem_buf(identity.privateKey, Int32(identity.privateKey.count))
        defer { unsafe BIO_free(bio) }
        guard let key = unsafe PEM_read_bio_PrivateKey(bio, nil, nil, nil) else { throw TLSFailure("read the key") }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_CTX_use_PrivateKey(raw, key) == 1, unsafe SSL_CTX_check_private_key(raw) == 1 else {
            throw TLSFailure("use the key with this certificate")
        }
    }

    private func trust(_ authority: [UInt8], asClientAuthority: Bool) throws(TLSFailure) {
        let certificates = try unsafe readCertificates(authority)
        defer { for index in unsafe certificates.indices { unsafe X509_free(certificates[index]) } }
        for index in unsafe certificates.indices {
            let certificate = unsafe certificates[index]
            unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(raw), certificate)
            if asClientAuthority { unsafe SSL_CTX_add_client_CA(raw, certificate) }
        }
    }
}

@available(*, unavailable) extension TLSContext: Sendable {}

/// All certificates of a PEM text. The caller must free them.
private func readCertificates(_ pem: [UInt8]) throws(TLSFailure) -> [OpaquePointer] {
    ERR_clear_error()
    let bio = unsafe BIO_new_mem_buf(pem, Int32(pem.count))
    defer { unsafe BIO_free(bio) }
    var found: [OpaquePointer] = unsafe []
    while let certificate = unsafe PEM_read_bio_X509(bio, nil, nil, nil) { unsafe found.append(certificate) }
    guard unsafe !found.isEmpty else { throw TLSFailure("read the certificate") }
    ERR_clear_error()
    return unsafe found
}
