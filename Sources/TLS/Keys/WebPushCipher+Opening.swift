internal import COpenSSL

/// Decrypts pushes as a browser does (RFC 8188 and 8291, and the older draft-ietf-webpush-encryption-04).
extension WebPushCipher {
    /// Who a push was encrypted for.
    package struct Receiver {
        /// In PEM.
        let privateKey: [UInt8]
        /// Its public half, `p256dh`.
        let key: [UInt8]
        /// `auth`.
        let secret: [UInt8]

        package init(privateKey: [UInt8], key: [UInt8], secret: [UInt8]) {
            (self.privateKey, self.key, self.secret) = (privateKey, key, secret)
        }
    }

    /// Why a push can't be decrypted.
    package enum Damage: Error, Equatable {
        case tooShort
        /// A record needs room for its padding and its tag.
        case recordSize(Int)
        case keyLength(Int)
        case keyIsNotOnCurve
        /// The sender used another salt, other keys or other bytes.
        case tag
        case padding
    }

    /// Decrypts a body in aes128gcm. Its header has the salt, the size of a record, and the sender's key of this push.
    package static func open(_ body: [UInt8], for receiver: Receiver) throws(Damage) -> [UInt8] {
        guard body.count >= 21 else { throw .tooShort }
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 18 else { throw .recordSize(size) }
        let length = Int(body[20])
        guard length == 65 else { throw .keyLength(length) }
        guard body.count >= 86 else { throw .tooShort }
        let (salt, key) = (Array(body[..<16]), Array(body[21..<86]))
        let shared = try agree(receiver, with: key)
        let input = derive(receiver.secret, shared, Array("WebPush: info\0".utf8) + receiver.key + key, 32)
        let records = Records(
            key: derive(salt, input, Array("Content-Encoding: aes128gcm\0".utf8), 16),
            nonce: derive(salt, input, Array("Content-Encoding: nonce\0".utf8), 12), size: size)
        return try records.open(body[86...]) { text, isLast throws(Damage) in
            // The padding is zeros after the text and a byte that marks its end.
            guard let end = text.lastIndex(where: { $0 != 0 }), text[end] == (isLast ? 2 : 1) else { throw .padding }
            return text[..<end]
        }
    }

    /// Decrypts a body in the older coding aesgcm, whose salt and key are in fields of the request.
    package static func openOld(
        _ body: [UInt8], salt: [UInt8], key: [UInt8], size: Int, for receiver: Receiver
    ) throws(Damage) -> [UInt8] {
        guard (3...1 << 20).contains(size) else { throw .recordSize(size) }
        guard key.count == 65 else { throw .keyLength(key.count) }
        let shared = try agree(receiver, with: key)
        let (contentKey, nonce) = oldKeys(receiver.key, key, shared, receiver.secret, salt)
        return try Records(key: contentKey, nonce: nonce, size: size + 16).open(body[...]) { text, _ throws(Damage) in
            // The padding comes first: its length in two bytes, and zeros.
            guard text.count >= 2, let first = text.first else { throw .padding }
            let length = Int(first) << 8 | Int(text[text.startIndex + 1])
            guard text.count >= 2 + length else { throw .padding }
            return text.dropFirst(2 + length)
        }
    }

    private static func agree(_ receiver: Receiver, with key: [UInt8]) throws(Damage) -> [UInt8] {
        guard let other = try? PublicKey(p256: key) else { throw .keyIsNotOnCurve }
        guard let own = try? PrivateKey(pem: receiver.privateKey), let shared = try? own.agree(with: other) else {
            throw .tag
        }
        return shared
    }

    /// A sequence of encrypted records, all but the last of the same size.
    private struct Records {
        let key: [UInt8]
        let nonce: [UInt8]
        let size: Int

        func open(
            _ body: ArraySlice<UInt8>, _ unpad: (ArraySlice<UInt8>, _ isLast: Bool) throws(Damage) -> ArraySlice<UInt8>
        ) throws(Damage) -> [UInt8] {
            var (rest, text, counter) = (body, [UInt8](), UInt64(0))
            repeat {
                let record = rest.prefix(size)
                rest = rest.dropFirst(size)
                var nonce = nonce
                for index in 0..<8 { nonce[11 - index] ^= UInt8(truncatingIfNeeded: counter >> (8 * UInt64(index))) }
                guard let plain = WebPushCipher.unseal(record, key, nonce) else { throw .tag }
                text += try unpad(plain[...], rest.isEmpty)
                counter += 1
            } while !rest.isEmpty
            return text
        }
    }

    /// AES-128-GCM, with the tag at the end. Nil if the tag is wrong.
    private static func unseal(_ record: ArraySlice<UInt8>, _ key: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
        guard record.count >= 16, let allocated = unsafe EVP_CIPHER_CTX_new() else { return nil }
        let context = unsafe Owned(allocated, freedBy: { unsafe EVP_CIPHER_CTX_free($0) })
        defer { ERR_clear_error() }
        let sealed = Array(record.dropLast(16))
        var tag = Array(record.suffix(16))
        var plain = [UInt8](repeating: 0, count: sealed.count + 16)
        var (count, rest): (Int32, Int32) = (0, 0)
        guard unsafe EVP_DecryptInit_ex(context.pointer, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            unsafe EVP_DecryptUpdate(context.pointer, &plain, &count, sealed, Int32(sealed.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1
        else { return nil }
        var end = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_DecryptFinal_ex(context.pointer, &end, &rest) == 1 else { return nil }
        return Array(plain.prefix(Int(count)))
    }
}
