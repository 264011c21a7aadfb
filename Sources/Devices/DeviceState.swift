package import JSON
internal import PushCore

/// The state of a device that decides which pushes reach it and what it shows. docs/devices.md explains the keys.
package struct DeviceState: Sendable, Equatable {
    package var app = AppState.background
    package var online = true
    package var locked = false
    package var permission = Permission.authorized
    package var focus = false
    package var doze = false
    package var lowPower = false
    package var backgroundRefresh = true
    package var forceStopped = false
    /// The phone has not been unlocked since it was switched on (Android).
    package var directBoot = false
    package var locale = "en-US"

    package enum AppState: String, Sendable, CaseIterable {
        case foreground, background, suspended, terminated, forceQuit
    }
    package enum Permission: String, Sendable, CaseIterable { case notDetermined, denied, authorized, provisional }

    /// Whether the app, or the browser of a web app, is not running.
    var isAppEnded: Bool { app == .terminated || app == .forceQuit }

    package init() {}

    /// The members with a boolean value.
    private static let flags: [(key: String, keyPath: any WritableKeyPath<DeviceState, Bool> & Sendable)] = [
        ("online", \.online), ("locked", \.locked), ("focus", \.focus), ("doze", \.doze), ("lowPower", \.lowPower),
        ("backgroundRefresh", \.backgroundRefresh), ("forceStopped", \.forceStopped), ("directBoot", \.directBoot),
    ]
    private static let maxLocaleLength = 64

    /// Applies a patch. If any member is wrong, nothing changes.
    package mutating func patch(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        guard json.kind == .object else { throw DeviceProblem(pointer: pointer, message: "A state must be an object.") }
        var next = self
        for (key, value) in json.members { try next.set(key.shortened, value, at: pointer) }
        self = next
    }

    mutating func set(_ key: String, _ value: JSONView, at pointer: String) throws(DeviceProblem) {
        let pointer = "\(pointer)/\(key)"
        if let flag = Self.flags.first(where: { $0.key == key }) {
            guard let value = value.bool else {
                throw DeviceProblem(pointer: pointer, message: "'\(key)' must be true or false.")
            }
            self[keyPath: flag.keyPath] = value
            return
        }
        switch key {
        case "app": app = try Self.enumValue(value, key, at: pointer)
        case "permission": permission = try Self.enumValue(value, key, at: pointer)
        case "locale":
            guard let text = value.string, 1...Self.maxLocaleLength ~= text.utf8.count else {
                throw DeviceProblem(pointer: pointer, message: "'locale' must be a language like 'en-US'.")
            }
            locale = text
        default:
            let known = Self.flags.map(\.key) + ["app", "permission", "locale"]
            throw DeviceProblem(
                pointer: pointer,
                message: ControlProblem.sentences(aboutUnknown: key, among: known))
        }
    }

    private static func enumValue<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONView, _ key: String, at pointer: String
    ) throws(DeviceProblem) -> Word {
        if let known = value.string.flatMap(Word.init(rawValue:)) { return known }
        let words = Word.allCases.map(\.rawValue)
        let guess = value.string.flatMap { ControlProblem.guess($0, words) }.map { " \($0)" } ?? ""
        throw DeviceProblem(
            pointer: pointer,
            message: "'\(key)' must be one of \(words.joined(separator: ", ")); it is \(value.briefly).\(guess)")
    }

    /// - Parameter patch: write only the keys of this object; nil writes all.
    package func write(to json: inout JSONWriter, of patch: JSONView? = nil) {
        func isIncluded(_ key: String) -> Bool { patch.map { $0[key] != nil } ?? true }
        json.object { json in
            if isIncluded("app") { json.member("app", app.rawValue) }
            if isIncluded("permission") { json.member("permission", permission.rawValue) }
            for flag in Self.flags where isIncluded(flag.key) { json.member(flag.key, self[keyPath: flag.keyPath]) }
            if isIncluded("locale") { json.member("locale", locale) }
        }
    }
}

/// An error in what a client sent about a device, with a JSON pointer to it.
package struct DeviceProblem: Error, Sendable, Equatable {
    package let pointer: String
    package let message: String

    package init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }
}
