internal import Credentials
internal import Platform
internal import PushCore
internal import PushEngine
internal import Storage
internal import TLS

/// Restores settings that were made over the control API but take effect outside the engine: keys, service accounts and
/// the clock.
extension Gateway {
    /// Applies the settings of an engine that was restored.
    ///
    /// - Parameter path: the file that it was restored from, for errors.
    func restoreSettings(from path: String) throws(StorageError) {
        let added = box.engine.addedCredentials
        do throws(CryptoError) {
            for key in added.keys.values { try keyring.add(key.key, publicPEM: key.publicPEM) }
            for (email, account) in added.accounts { try keyring.addAccount(email, publicPEM: account.publicPEM) }
        } catch { throw .damaged(path, "it contains a key that cannot be used: \(error)") }
        guard let setting = box.engine.clockSetting else { return }
        guard clock.restore(setting) else {
            throw .damaged(path, "it contains a time that the clock cannot be set to")
        }
        log(
            .info, "clock restored", at: clock.now,
            ["now": clock.now.description, "because": setting.explanation])
    }
}

extension ClockSetting {
    /// For the log: what the setting is, and how to undo it.
    fileprivate var explanation: String {
        let remedy = "the control API's POST /clock undoes this"
        return switch self {
        case .ahead(let milliseconds) where milliseconds < 0:
            "it is \(DurationText.readable(milliseconds.magnitude)) behind the system's clock; \(remedy)"
        case .ahead(let milliseconds):
            "it is \(DurationText.readable(milliseconds.magnitude)) ahead of the system's clock; \(remedy)"
        case .frozen: "it is frozen; \(remedy)"
        }
    }
}
