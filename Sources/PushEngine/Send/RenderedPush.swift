internal import APNs
internal import Devices
package import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// The content of a push for apps. It is parsed once, and rendered once for each platform, however many devices get it.
package final class RenderedPush {
    fileprivate let body: [UInt8]
    package let provider: Provider
    private let document: JSONDocument?
    private let addsMutableContent: Bool
    private var ios: PushContent?
    private var android: PushContent?
    private var web: PushContent?

    /// The message of a push over FCM, without its name and times; nil if the body does not contain a message.
    package private(set) lazy var message: FCMPayload? = FCMPayload(body, addsMutableContent: addsMutableContent)

    /// The `userInfo` of a message over FCM as JSON, without its name and the id of the installation.
    private(set) lazy var applePayload: [UInt8] = messagePayload(for: .ios)
    /// `applePayload`, parsed. Set if the caller has parsed it already.
    var appleDocument: JSONDocument?

    /// - Parameters:
    ///   - document: the parsed body of a push over APNs, if the caller has it already.
    ///   - message: the message of a push over FCM, if the caller has it already.
    init(
        _ body: [UInt8], _ provider: Provider, document: JSONDocument? = nil, message: FCMPayload? = nil,
        addsMutableContent: Bool
    ) {
        self.body = body
        self.document = document
        self.provider = provider
        self.addsMutableContent = addsMutableContent
        if let message { self.message = message }
    }

    /// Whether this was rendered from the same body.
    func matches(_ body: [UInt8], _ provider: Provider) -> Bool {
        self.provider == provider && body.span.equals(self.body)
    }

    /// The content for one platform.
    func content(for platform: Device.Platform) -> PushContent {
        switch platform {
        case .ios:
            if let ios { return ios }
        case .android:
            if let android { return android }
        case .web:
            if let web { return web }
        }
        let content = read(for: platform)
        switch platform {
        case .ios: ios = content
        case .android: android = content
        case .web: web = content
        }
        return content
    }

    private func read(for platform: Device.Platform) -> PushContent {
        if let document { return PushContent(document, for: platform, isWebPush: provider == .webpush) }
        if platform == .ios, let appleDocument { return PushContent(appleDocument, for: platform) }
        let payload = provider != .fcm ? body : platform == .ios ? applePayload : messagePayload(for: platform)
        return PushContent(try? JSONDocument(parsing: payload), for: platform, isWebPush: provider == .webpush)
    }

    private func messagePayload(for platform: Device.Platform) -> [UInt8] {
        guard let message else { return [] }
        var json = JSONWriter()
        switch platform {
        case .android: message.writeAndroid(app: "", to: &json)
        case .ios: message.writeApple(to: &json)
        case .web: message.writeWeb(to: &json)
        }
        return json.finish()
    }
}

@available(*, unavailable) extension RenderedPush: Sendable {}

extension PushEngine {
    /// The rendering of a push. It is reused as long as every push has the same body.
    mutating func rendered(_ body: [UInt8], _ provider: Provider) -> RenderedPush {
        if caches.lastRendered.matches(body, provider) { return caches.lastRendered }
        let adds = dialects.fcm.policy.choices.contains(.mutableContent)
        caches.lastRendered =
            switch provider {
            case .apns, .webpush:
                RenderedPush(body, provider, document: caches.apns.document(of: body), addsMutableContent: adds)
            case .fcm:
                RenderedPush(
                    body, provider, message: caches.fcm.payload(of: body, addsMutableContent: adds),
                    addsMutableContent: adds)
            }
        return caches.lastRendered
    }
}
