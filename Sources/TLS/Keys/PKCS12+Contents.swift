internal import COpenSSL

extension PKCS12 {
    /// Everything in a PKCS#12 file that Pushpit looks at.
    package struct Contents {
        package fileprivate(set) var keys: [PrivateKey] = []
        package fileprivate(set) var certificates: [Certificate] = []
    }

    package enum OpeningFailure: Error, Equatable {
        case notPKCS12
        case wrongPassword
        /// To derive the keys would take too long.
        case tooManyIterations
        /// OpenSSL's reason, for a cipher that it does not offer or damaged contents.
        case cannotDecrypt(String)
    }

    private static let maximumSafes: Int32 = 8
    private static let maximumBags: Int32 = 32

    /// Opens untrusted bytes with the first of the passwords that fits.
    ///
    /// - Parameter maximumIterations: how often the derivation of keys may hash, in all safes and for all passwords
    ///   together. A million take about half a second.
    package static func contents(
        of bytes: [UInt8], passwords: [String], maximumIterations: Int64
    ) throws(OpeningFailure) -> Contents {
        TLSLibrary.clearErrors()
        defer { ERR_clear_error() }
        let opened = unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_PKCS12(nil, &cursor, buffer.count)
        }
        guard let opened = unsafe opened else { throw .notPKCS12 }
        let file = unsafe Owned(opened, freedBy: { unsafe PKCS12_free($0) })
        var reader = SafeReader(iterationsLeft: maximumIterations)
        reader.password = try unsafe password(of: file.pointer, among: passwords, &reader)
        guard let list = unsafe PKCS12_unpack_authsafes(file.pointer) else {
            throw .cannotDecrypt("its contents are damaged")
        }
        let safes = unsafe Owned(list, freedBy: { unsafe pushpit_free_safes($0) })
        for index in 0..<max(0, min(maximumSafes, unsafe pushpit_count_safes(safes.pointer))) {
            if let safe = unsafe pushpit_safe(safes.pointer, index) { try unsafe reader.read(safe) }
        }
        return reader.contents
    }

    /// The password that the file was authenticated with. Without a MAC, the first password.
    private static func password(
        of file: OpaquePointer, among passwords: [String], _ reader: inout SafeReader
    ) throws(OpeningFailure) -> String {
        guard unsafe PKCS12_mac_present(file) == 1 else { return passwords.first ?? "" }
        let algorithm = unsafe pushpit_mac_algorithm(file).map { unsafe reader.iterations(of: $0) } ?? 0
        let iterations = max(algorithm, unsafe pushpit_mac_iterations(file))
        for password in passwords {
            try reader.spend(iterations)
            if unsafe PKCS12_verify_mac(file, password, -1) == 1 { return password }
            guard password.isEmpty else { continue }
            // Some programs write a missing password instead of an empty one.
            try reader.spend(iterations)
            if unsafe PKCS12_verify_mac(file, nil, 0) == 1 { return password }
        }
        throw .wrongPassword
    }

    private struct SafeReader {
        var contents = Contents()
        var password = ""
        private var iterationsLeft: Int64

        init(iterationsLeft: Int64) { self.iterationsLeft = iterationsLeft }

        mutating func spend(_ iterations: Int64) throws(OpeningFailure) {
            guard iterations >= 0, iterations <= iterationsLeft else { throw .tooManyIterations }
            iterationsLeft &-= iterations
        }

        mutating func read(_ safe: UnsafeMutablePointer<PKCS7>) throws(OpeningFailure) {
            let list: OpaquePointer?
            if let encryption = unsafe pushpit_encryption(safe) {
                try unsafe spend(iterations(of: encryption))
                unsafe list = unsafe PKCS12_unpack_p7encdata(safe, password, -1)
            } else if unsafe pushpit_is_data(safe) == 1 {
                unsafe list = unsafe PKCS12_unpack_p7data(safe)
            } else {
                return
            }
            guard let list = unsafe list else { throw .cannotDecrypt(CryptoCall.queuedError("", with: "").reason) }
            let bags = unsafe Owned(list, freedBy: { unsafe pushpit_free_bags($0) })
            for index in 0..<max(0, min(maximumBags, unsafe pushpit_count_bags(bags.pointer))) {
                if let bag = unsafe pushpit_bag(bags.pointer, index) { try unsafe read(bag: bag) }
            }
        }

        private mutating func read(bag: OpaquePointer) throws(OpeningFailure) {
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_certBag:
                guard let found = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { return }
                if let certificate = unsafe try? Certificate(adopting: found) {
                    contents.certificates.append(certificate)
                }
            case NID_keyBag:
                unsafe add(EVP_PKCS82PKEY(PKCS12_SAFEBAG_get0_p8inf(bag)))
            case NID_pkcs8ShroudedKeyBag:
                var algorithm: UnsafePointer<X509_ALGOR>?
                unsafe X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
                if let algorithm = unsafe algorithm { try unsafe spend(iterations(of: algorithm)) }
                guard let info = unsafe PKCS12_decrypt_skey(bag, password, -1) else {
                    throw .cannotDecrypt(CryptoCall.queuedError("", with: "").reason)
                }
                unsafe add(EVP_PKCS82PKEY(info))
                unsafe PKCS8_PRIV_KEY_INFO_free(info)
            default: return
            }
        }

        private mutating func add(_ key: OpaquePointer?) {
            if let key = unsafe key { contents.keys.append(unsafe PrivateKey(adopting: key)) }
        }

        func iterations(of algorithm: UnsafePointer<X509_ALGOR>) -> Int64 {
            let der = unsafe try? CryptoCall.encoding("encode an algorithm") { unsafe i2d_X509_ALGOR(algorithm, $0) }
            return PKCS12.iterations(withParameters: DERReader.integers(in: (der ?? [])[...], depth: 0))
        }
    }

    /// How often the derivation of a key hashes, by the integers in its parameters. They are the number of iterations,
    /// and perhaps the key's length. For scrypt they are three or four factors of the time.
    static func iterations(withParameters integers: [Int64]) -> Int64 {
        if integers.count <= 2 { return integers.max() ?? 0 }
        return integers.reduce(1) { product, factor in
            let (result, isTooLarge) = product.multipliedReportingOverflow(by: max(factor, 1))
            return isTooLarge ? .max : result
        }
    }
}

extension DERReader {
    private static let maximumDepth = 8

    /// The integers in nested sequences. `Int64.max` stands for one of more than seven bytes, and for sequences that are
    /// nested too deep.
    static func integers(in bytes: ArraySlice<UInt8>, depth: Int) -> [Int64] {
        guard depth < maximumDepth else { return [.max] }
        var reader = DERReader(bytes)
        var found: [Int64] = []
        while !reader.isAtEnd, let element = try? reader.next() {
            if element.isA(.sequence) {
                found.append(contentsOf: integers(in: element.contents, depth: depth &+ 1))
            } else if element.isA(.integer) {
                let digits = element.contents.drop { $0 == 0 }
                found.append(digits.count <= 7 ? digits.reduce(0) { $0 << 8 | Int64($1) } : .max)
            }
        }
        return found
    }
}
