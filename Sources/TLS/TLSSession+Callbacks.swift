internal import COpenSSL

/// OpenSSL's callbacks during a handshake.
extension TLSSession {
    /// The session that owns `ssl`.
    static func of(_ ssl: OpaquePointer?) -> TLSSession? {
        guard let ssl = unsafe ssl, let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    }

    /// Switches to the certificate for the server name that the client asked for, and decides whether to ask for the
    /// client's.
    func chooseIdentity() {
        guard let serverName else { return }
        let chosen = context.context(for: serverName)
        if chosen !== context { unsafe SSL_set_SSL_CTX(raw, chosen.raw) }
        if !asksForCertificate(serverName) { unsafe SSL_set_verify(raw, SSL_VERIFY_NONE, nil) }
    }

    /// Chooses the first of the server's protocols that the client offers. `chosen` has to point into the client's
    /// list: OpenSSL reads it after this call returns.
    func chooseProtocol(
        _ offered: UnsafeBufferPointer<UInt8>, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ chosenCount: UnsafeMutablePointer<UInt8>?
    ) -> Int32 {
        for candidate in protocols(serverName) {
            var index = 0
            while index < offered.count {
                let count = Int(unsafe offered[index])
                guard index + 1 + count <= offered.count else { return SSL_TLSEXT_ERR_NOACK }
                let name = unsafe UnsafeBufferPointer(rebasing: offered[(index + 1)..<(index + 1 + count)])
                if unsafe name.elementsEqual(candidate.rawValue.utf8) {
                    unsafe chosen?.pointee = name.baseAddress
                    unsafe chosenCount?.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                index += 1 + count
            }
        }
        return SSL_TLSEXT_ERR_NOACK
    }
}
