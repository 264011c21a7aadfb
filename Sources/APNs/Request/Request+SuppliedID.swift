package import HTTPCore
internal import PushCore

extension Request {
    /// The id that the sender has chosen, and that the answer repeats: the `apns-id`, or the `apns-request-id` of a
    /// broadcast or a call about channels. Nil if the gateway generates it.
    package var suppliedAPNsID: String? {
        if BroadcastDialect.handles(self) { return BroadcastCall(self, in: .production).requestID }
        guard let id = headers.first(.apnsID), !id.isEmpty else { return nil }
        return String(decoding: id, as: UTF8.self)
    }
}
