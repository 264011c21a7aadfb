internal import COpenSSL

/// OpenSSL as a whole.
package enum TLSLibrary {
    /// To be asked for before anything else of OpenSSL's: leaves its memory alone when the process ends, because a
    /// thread may still be at work in it then.
    package static let isStarted: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// An empty error queue, of a library that was started as above: whoever calls OpenSSL first comes through here.
    static func clearErrors() {
        precondition(isStarted, "OpenSSL did not start")
        ERR_clear_error()
    }
}
