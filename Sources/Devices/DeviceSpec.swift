package import JSON
package import PushCore

/// The device that a client asks for in `hello` or over the control API: an existing one by its id, or a new one.
package struct DeviceSpec: Sendable {
    package var id: DeviceID?
    package var platform: Device.Platform?
    package var app: String?
    package var name: String?
    package var project: String?
    /// Accepted, but neither stored nor shown.
    package var osVersion: String?
    /// Nil for the gateway's default.
    package var environment: PushEnvironment?
    /// The tokens that the client chose; nil if the gateway generates them.
    package var apnsToken: DeviceToken?
    package var fcmToken: String?
    /// The token that starts Live Activities.
    package var activityToken: DeviceToken?
    package var otherTokens: [TokenKind: DeviceToken] = [:]
    /// The push subscription of a browser; nil if the gateway makes all of it.
    package var subscription: WebSubscriptionSpec?
    package var state = DeviceState()
    /// The app's extension, categories, channels, texts and tracking.
    package var phone = PhoneSpec()

    package init(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        func text(_ key: String) throws(DeviceProblem) -> String? {
            guard let value = json[key], !value.isNull else { return nil }
            guard let text = value.string, 1...Self.maxLength ~= text.utf8.count else {
                throw DeviceProblem(
                    pointer: "\(pointer)/\(key)",
                    message: "'\(key)' must be a string of 1 to \(Self.maxLength) bytes.")
            }
            return text
        }
        guard json.kind == .object else {
            throw DeviceProblem(pointer: pointer, message: "'device' must be an object.")
        }
        id = try text("id").map(DeviceID.init)
        if id == DeviceID(".") || id == DeviceID("..") {
            throw DeviceProblem(
                pointer: "\(pointer)/id", message: "'id' can't be '.' or '..', because no URL can name such a device.")
        }
        app = try text("app")
        name = try text("name")
        project = try text("project")
        if let word = try text("environment") {
            guard let known = PushEnvironment(rawValue: word) else {
                throw DeviceProblem(
                    pointer: "\(pointer)/environment",
                    message: "'\(word)' is not an environment: use production or sandbox.")
            }
            environment = known
        }
        if let locale = json["locale"], !locale.isNull { try state.set("locale", locale, at: pointer) }
        osVersion = try text("osVersion")
        if let patch = json["state"], !patch.isNull { try state.patch(patch, at: "\(pointer)/state") }
        phone = try PhoneSpec(json, at: pointer)
        if let tokens = try PhoneSpec.Reader(json, at: pointer).object("tokens") {
            try read(tokens.allowing(["apns", "fcm", "liveActivity"] + TokenKind.allCases.map(\.rawValue)))
        }
        if let part = try PhoneSpec.Reader(json, at: pointer).object("subscription") {
            subscription = try WebSubscriptionSpec(part)
        }
        if let word = try text("platform") {
            guard let known = Device.Platform(rawValue: word) else {
                throw DeviceProblem(
                    pointer: "\(pointer)/platform", message: "'\(word)' is not a platform: use ios, android or web.")
            }
            platform = known
        }
        guard subscription == nil || platform == nil || platform == .web else {
            throw DeviceProblem(
                pointer: "\(pointer)/subscription", message: "'subscription' belongs to a device with the platform web."
            )
        }
    }

    /// Reads tokens in the format in which the control API shows a device. The members that a client can't choose are
    /// checked, but not used.
    private mutating func read(_ tokens: PhoneSpec.Reader) throws(DeviceProblem) {
        func chosenToken(_ provider: String, ignoring keys: [String]) throws(DeviceProblem) -> (
            part: PhoneSpec.Reader, token: String
        )? {
            guard let part = try tokens.object(provider)?.allowing(["token"] + keys) else { return nil }
            for key in keys { try part.checkText(key) }
            return try part.text("token").map { (part, $0) }
        }
        func deviceToken(_ text: String, _ key: String, of part: PhoneSpec.Reader) throws(DeviceProblem) -> DeviceToken
        {
            if let token = DeviceToken(hex: text.utf8Span.span) { return token }
            throw part.problem(
                key, "An APNs token must have an even number of hexadecimal digits, from 64 to 200.")
        }
        func chosenDeviceToken(_ name: String) throws(DeviceProblem) -> DeviceToken? {
            guard let (part, text) = try chosenToken(name, ignoring: ["environment", "topic"]) else { return nil }
            return try deviceToken(text, "token", of: part)
        }
        apnsToken = try chosenDeviceToken("apns")
        // The tokens of running activities are not chosen: a new device has none.
        if let part = try tokens.object("liveActivity")?.allowing(["start", "updates", "topic"]) {
            _ = try part.object("updates")
            try part.checkText("topic")
            if let text = try part.text("start") { activityToken = try deviceToken(text, "start", of: part) }
        }
        for kind in TokenKind.allCases { otherTokens[kind] = try chosenDeviceToken(kind.rawValue) }
        if let (part, text) = try chosenToken("fcm", ignoring: ["fid", "project", "senderId"]) {
            let isValid =
                !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
            guard isValid else {
                throw part.problem(
                    "token",
                    "An FCM token must have at most \(Self.maxLength) printable characters, without spaces or slashes."
                )
            }
            fcmToken = text
        }
    }

    /// The longest text in bytes. There may be many devices, and they stay in memory for a long time.
    private static let maxLength = 256

    /// Whether the client chose any token.
    package var hasTokens: Bool { apnsToken != nil || activityToken != nil || fcmToken != nil || !otherTokens.isEmpty }

    /// Throws if a member that a new device needs is missing.
    package func requireComplete(at pointer: String) throws(DeviceProblem) {
        func require(_ isPresent: Bool, _ key: String, _ example: String) throws(DeviceProblem) {
            guard !isPresent else { return }
            throw DeviceProblem(
                pointer: "\(pointer)/\(key)", message: "A new device needs '\(key)', for example '\(example)'.")
        }
        try require(platform != nil, "platform", "ios")
        try require(app != nil, "app", "com.example.app")
    }
}
