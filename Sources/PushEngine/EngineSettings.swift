package import APNs
package import Devices
package import FCM
package import Receivers

/// Decrypts a web push to a simulated browser.
package typealias WebPushOpener = @Sendable (SealedPush, WebSubscription) throws(SealedPush.Damage) -> [UInt8]

/// Everything that a push engine needs to know from outside. The engine reads it once, when it starts.
package struct EngineSettings {
    /// What the APNs dialect checks and how it answers.
    package var apns = APNsPolicy()
    /// The cases in which the alternative to FCM's usual answer is given.
    package var fcmChoices: Set<FCMChoice> = []
    /// Google's recorded answers that replace the usual ones.
    package var fcmAnswers: [RecordedAnswer] = []
    /// Whether FCM's rate limits are enforced.
    package var enforcesQuotas = false
    /// When a push to a device without the app is answered with 410.
    package var unregisterRule = UnregisterRule()
    /// The maximum number of devices.
    package var deviceCapacity = 100_000
    /// The maximum size of all pushes that wait for devices, in bytes.
    package var waitingByteCapacity = 256 << 20
    /// The maximum number of events in the log.
    package var logCapacity = 40_000
    /// The maximum size of all requests in the log, in bytes.
    package var logByteCapacity = 64 << 20
    /// Seeds every id, token and random draw.
    package var seed: UInt64 = 1
    /// Checks the signature of a provider token; false for an unknown key.
    package var verifyProviderToken: APNsSession.Verifier = { _, _, _ in false }
    /// Checks a signature that a service account has made; nil for an unknown account.
    package var verifyServiceAccount: OAuth.Verifier = { _, _, _ in nil }
    /// Checks the ES256 signatures of web pushes: (public key as 65 bytes, signed bytes, signature).
    package var verifyWebPush: VAPID.Verify = { _, _, _ in false }
    /// Decrypts a web push to a simulated browser.
    package var openWebPush: WebPushOpener = { _, _ throws(SealedPush.Damage) in throw SealedPush.Damage("no key") }
    /// New keys for the subscription of a simulated browser; nil if it gets none.
    package var makeWebPushKeys: @Sendable () -> WebPushKeys? = { nil }
    /// Whether bytes are a point of the curve P-256.
    package var isPoint: @Sendable ([UInt8]) -> Bool = { $0.count == 65 && $0.first == 4 }
    /// SHA-256, for fingerprints of secrets.
    package var digest: @Sendable ([UInt8]) -> [UInt8] = { _ in [] }

    package init() {}
}
