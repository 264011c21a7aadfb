internal import COpenSSL

/// The initialization of OpenSSL.
package enum TLSLibrary {
    /// Initializes OpenSSL at the first use; true if that succeeded. Use it before any other call to OpenSSL.
    ///
    /// The flag keeps OpenSSL from freeing its memory when the process exits, because a thread may still be using it.
    package static let isStarted: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Initializes OpenSSL if necessary, and clears this thread's error queue. Code that may be the first to use OpenSSL
    /// calls this instead of `ERR_clear_error`.
    static func clearErrors() {
        precondition(isStarted, "OpenSSL did not start")
        ERR_clear_error()
    }
}
