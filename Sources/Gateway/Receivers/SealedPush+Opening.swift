internal import Devices
internal import Receivers
internal import TLS

extension SealedPush {
    /// Decrypts the push with the keys of a subscription.
    func opened(for subscription: WebSubscription) throws(Damage) -> [UInt8] {
        let receiver = WebPushCipher.Receiver(
            privateKey: subscription.privateKey, key: subscription.key, secret: subscription.secret)
        do throws(WebPushCipher.Damage) {
            switch coding {
            case .aes128gcm: return try WebPushCipher.open(body, for: receiver)
            case .aesgcm(let salt, let key, let size):
                return try WebPushCipher.openOld(body, salt: salt, key: key, size: size, for: receiver)
            }
        } catch { throw Damage(error.sentence) }
    }
}

extension WebPushCipher.Damage {
    /// What is wrong, in words that are put after a colon.
    fileprivate var sentence: String {
        switch self {
        case .tooShort: "the body is shorter than its header, which has 86 bytes"
        case .recordSize(let size):
            "its record size is \(size), and a record of less than 18 bytes has no room for text"
        case .keyLength(let count): "its key has \(count) bytes, and a point of P-256 has 65"
        case .keyIsNotOnCurve: "its key is not a point of P-256"
        case .tag:
            "these keys do not decrypt it: it was encrypted for another p256dh or auth, or was changed in transit"
        case .padding: "the padding in a record is wrong"
        }
    }
}
