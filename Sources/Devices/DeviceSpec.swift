package import JSON
package import PushCore

/// What a client asks for in `hello`, or over the API: a known device by its id, or a new one.
package struct DeviceSpec: Sendable {
    package var id: DeviceID?
    package var platform: Device.Platform?
    package var app: String?
    package var name: String?
    package var project: String?
    /// For people; nothing hangs on it.
    package var osVersion: String?
    /// Nil: the gateway's own.
    package var environment: PushEnvironment?
    /// What the client has chosen; nil: the gateway mints it.
    package var apnsToken: DeviceToken?
    package var fcmToken: String?
    package var state = DeviceState()
    /// What the app on it brings along.
    package var phone = PhoneSpec()

    package init(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        func text(_ key: String) throws(DeviceProblem) -> String? {
            guard let value = json[key], !value.isNull else { return nil }
            guard let text = value.string, 1...Self.longest ~= text.utf8.count else {
                throw DeviceProblem(
                    pointer: "\(pointer)/\(key)",
                    message: "'\(key)' must be a string of 1 to \(Self.longest) octets.")
            }
            return text
        }
        guard json.kind == .object else {
            throw DeviceProblem(pointer: pointer, message: "'device' must be an object.")
        }
        id = try text("id").map(DeviceID.init)
        app = try text("app")
        name = try text("name")
        project = try text("project")
        if let word = try text("environment") {
            guard let known = PushEnvironment(rawValue: word) else {
                throw DeviceProblem(
                    pointer: "\(pointer)/environment",
                    message: "'\(word)' is no environment: take production or sandbox.")
            }
            environment = known
        }
        if let locale = json["locale"], !locale.isNull { try state.set("locale", locale, at: pointer) }
        osVersion = try text("osVersion")
        if let patch = json["state"], !patch.isNull { try state.patch(patch, at: "\(pointer)/state") }
        phone = try PhoneSpec(json, at: pointer)
        if let tokens = try PhoneSpec.Reader(json, at: pointer).object("tokens") {
            try read(tokens.only(["apns", "fcm", "liveActivity"]))
        }
        if let word = try text("platform") {
            guard let known = Device.Platform(rawValue: word) else {
                throw DeviceProblem(
                    pointer: "\(pointer)/platform", message: "'\(word)' is no platform: take ios, android or web.")
            }
            platform = known
        }
    }

    /// As a device has them: what else stands there is its own to say.
    private mutating func read(_ tokens: PhoneSpec.Reader) throws(DeviceProblem) {
        func chosen(_ provider: String, _ told: [String]) throws(DeviceProblem) -> (
            part: PhoneSpec.Reader, token: String
        )? {
            guard let part = try tokens.object(provider)?.only(["token"] + told) else { return nil }
            for key in told { _ = try part.text(key) }
            return try part.text("token").map { (part, $0) }
        }
        _ = try tokens.object("liveActivity")
        if let (part, text) = try chosen("apns", ["environment", "topic"]) {
            apnsToken = DeviceToken(hex: text.utf8Span.span)
            if apnsToken == nil {
                throw part.problem(
                    "token", "A token of Apple's must be an even number of 64 to 200 hexadecimal digits.")
            }
        }
        if let (part, text) = try chosen("fcm", ["fid", "project", "senderId"]) {
            let isGood = !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
            guard isGood else {
                throw part.problem(
                    "token",
                    "A token of Google's must be \(Self.longest) printable characters at most, without blanks and slashes."
                )
            }
            fcmToken = text
        }
    }

    /// A device is kept for long, and there may be many: none of its texts is longer.
    private static let longest = 256

    /// What a new device can't do without.
    package func requireComplete(at pointer: String) throws(DeviceProblem) {
        func demand(_ isThere: Bool, _ key: String, _ example: String) throws(DeviceProblem) {
            guard !isThere else { return }
            throw DeviceProblem(
                pointer: "\(pointer)/\(key)", message: "A new device needs '\(key)', for example '\(example)'.")
        }
        try demand(platform != nil, "platform", "ios")
        try demand(app != nil, "app", "com.example.app")
    }
}
