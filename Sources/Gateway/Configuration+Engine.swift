internal import APNs
internal import Credentials
internal import Devices
internal import PushEngine
internal import Receivers
internal import TLS

extension Configuration {
    /// The part of the configuration that the engine needs.
    func engineSettings(keyring: Keyring, seed: UInt64) -> EngineSettings {
        var settings = EngineSettings()
        settings.apns = apns
        settings.apns.keys.merge(keyring.providerKeys) { given, _ in given }
        settings.fcmChoices = fcmChoices
        settings.fcmAnswers = fcmAnswers
        settings.enforcesQuotas = enforcesQuotas
        settings.unregisterRule = unregisterRule
        settings.deviceCapacity = deviceCapacity
        settings.waitingByteCapacity = waitingByteCapacity
        settings.logCapacity = logCapacity
        settings.logByteCapacity = logByteCapacity
        settings.seed = seed
        settings.verifyProviderToken = keyring.verify
        settings.verifyServiceAccount = keyring.verifyAccount
        settings.verifyWebPush = { key, message, signature in
            (try? PublicKey(p256: key))?.verify(signature, of: message)
        }
        settings.openWebPush = { sealed, subscription throws(SealedPush.Damage) in
            try sealed.opened(for: subscription)
        }
        settings.makeWebPushKeys = {
            guard let key = try? PrivateKey.generateP256(), let point = try? key.point, let pem = try? key.pem,
                let secret = try? SecureRandom.bytes(16)
            else {
                return nil
            }
            return WebPushKeys(key: point, secret: secret, privateKey: pem)
        }
        settings.isPoint = { (try? PublicKey(p256: $0)) != nil }
        settings.digest = { SHA256.digest($0) }
        return settings
    }
}
