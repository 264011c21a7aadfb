internal import COpenSSL

extension PKCS12 {
    /// Opens a file from anyone with the first of some passwords that fits, in steps. Each step derives at most one key.
    @safe package final class Opening {
        private let file: Owned<OpaquePointer>
        private let limits: Limits
        private var roundsLeft: Int64
        /// The attempts at the MAC that are left. Nil stands for a missing password, which some programs write instead
        /// of an empty one.
        private var attempts: ArraySlice<String?>
        /// The password that fits. Without a MAC, the first one.
        private var password: String?
        private var safes: Owned<OpaquePointer>?
        private var nextSafe: Int32 = 0
        private var bags: Owned<OpaquePointer>?
        private var nextBag: Int32 = 0
        private var found = Contents()
        private var result: Result<Contents, OpeningFailure>?

        private static let maximumSafes: Int32 = 8
        private static let maximumBags: Int32 = 32

        package init(_ bytes: [UInt8], passwords: [String], limits: Limits) throws(OpeningFailure) {
            TLSLibrary.clearErrors()
            defer { ERR_clear_error() }
            let opened = unsafe bytes.withUnsafeBufferPointer { buffer in
                var cursor = buffer.baseAddress
                return unsafe d2i_PKCS12(nil, &cursor, buffer.count)
            }
            guard let opened = unsafe opened else { throw .notPKCS12 }
            unsafe file = unsafe Owned(opened, freedBy: { unsafe PKCS12_free($0) })
            self.limits = limits
            roundsLeft = limits.rounds
            attempts = passwords.flatMap { $0.isEmpty ? [$0, nil] : [$0] }[...]
            if unsafe PKCS12_mac_present(file.pointer) != 1 { password = passwords.first ?? "" }
        }

        /// What is in the file; nil while steps are left.
        package var contents: Result<Contents, OpeningFailure>? { result }

        /// Takes all steps that are left.
        package func finish() throws(OpeningFailure) -> Contents {
            while true {
                if let result { return try result.get() }
                advance()
            }
        }

        /// Takes the next step.
        package func advance() {
            guard result == nil else { return }
            TLSLibrary.clearErrors()
            defer { ERR_clear_error() }
            do throws(OpeningFailure) { try step() } catch { result = .failure(error) }
        }

        private func step() throws(OpeningFailure) {
            guard let password else { return try authenticate() }
            if let bag = unsafe takeBag() { return try unsafe read(bag: bag, password) }
            if let safe = try unsafe takeSafe() { return try unsafe open(safe, password) }
            result = .success(found)
        }

        private func authenticate() throws(OpeningFailure) {
            guard let attempt = attempts.popFirst() else { throw .wrongPassword }
            let algorithm = unsafe pushpit_mac_algorithm(file.pointer).map { unsafe rounds(of: $0) } ?? 0
            try spend(max(algorithm, unsafe pushpit_mac_iterations(file.pointer)))
            let fits = unsafe PKCS12_verify_mac(file.pointer, attempt, attempt == nil ? 0 : -1)
            if fits == 1 { password = attempt ?? "" }
        }

        private func takeSafe() throws(OpeningFailure) -> UnsafeMutablePointer<PKCS7>? {
            if unsafe safes == nil {
                guard let list = unsafe PKCS12_unpack_authsafes(file.pointer) else {
                    throw .cannotDecrypt("its contents are damaged")
                }
                unsafe safes = unsafe Owned(list, freedBy: { unsafe pushpit_free_safes($0) })
            }
            guard let list = unsafe safes?.pointer,
                nextSafe < min(Self.maximumSafes, unsafe pushpit_count_safes(list))
            else { return nil }
            defer { nextSafe &+= 1 }
            return unsafe pushpit_safe(list, nextSafe)
        }

        /// Decrypts a safe. Its bags are read in the next steps.
        private func open(_ safe: UnsafeMutablePointer<PKCS7>, _ password: String) throws(OpeningFailure) {
            let list: OpaquePointer?
            if let encryption = unsafe pushpit_encryption(safe) {
                try unsafe spend(rounds(of: encryption))
                if let bits = unsafe RC2.bits(of: encryption) {
                    found.hasRC2 = true
                    unsafe list = unsafe RC2.bags(in: safe, encryption, bits, password)
                    if unsafe list == nil {
                        throw .cannotDecrypt("the password does not fit, or the contents are damaged")
                    }
                } else {
                    unsafe list = unsafe PKCS12_unpack_p7encdata(safe, password, -1)
                }
            } else if unsafe pushpit_is_data(safe) == 1 {
                unsafe list = unsafe PKCS12_unpack_p7data(safe)
            } else {
                return
            }
            guard let list = unsafe list else { throw .cannotDecrypt(CryptoCall.queuedError("", with: "").reason) }
            unsafe bags = unsafe Owned(list, freedBy: { unsafe pushpit_free_bags($0) })
            nextBag = 0
        }

        private func takeBag() -> OpaquePointer? {
            guard let list = unsafe bags?.pointer, nextBag < min(Self.maximumBags, unsafe pushpit_count_bags(list))
            else { return nil }
            defer { nextBag &+= 1 }
            return unsafe pushpit_bag(list, nextBag)
        }

        private func read(bag: OpaquePointer, _ password: String) throws(OpeningFailure) {
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_certBag:
                guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { return }
                if let certificate = unsafe try? Certificate(adopting: certificate) {
                    found.certificates.append(certificate)
                }
            case NID_keyBag:
                unsafe add(EVP_PKCS82PKEY(PKCS12_SAFEBAG_get0_p8inf(bag)))
            case NID_pkcs8ShroudedKeyBag:
                var algorithm: UnsafePointer<X509_ALGOR>?
                unsafe X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
                if let algorithm = unsafe algorithm { try unsafe spend(rounds(of: algorithm)) }
                guard let info = unsafe PKCS12_decrypt_skey(bag, password, -1) else {
                    throw .cannotDecrypt(CryptoCall.queuedError("", with: "").reason)
                }
                unsafe add(EVP_PKCS82PKEY(info))
                unsafe PKCS8_PRIV_KEY_INFO_free(info)
            default: return
            }
        }

        private func add(_ key: OpaquePointer?) {
            if let key = unsafe key { found.keys.append(unsafe PrivateKey(adopting: key)) }
        }

        private func spend(_ rounds: Int64) throws(OpeningFailure) {
            guard rounds >= 0, rounds <= min(limits.roundsForKey, roundsLeft) else { throw .tooManyRounds }
            roundsLeft &-= rounds
        }

        private func rounds(of algorithm: UnsafePointer<X509_ALGOR>) -> Int64 {
            let der = unsafe try? CryptoCall.encoding("encode an algorithm") { unsafe i2d_X509_ALGOR(algorithm, $0) }
            return PKCS12.rounds(withParameters: DERReader.integers(in: (der ?? [])[...], depth: 0))
        }
    }
}
