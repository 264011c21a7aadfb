package import JSON

/// What of a phone decides about what reaches it and what it shows; keys and words are protocol.md's.
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
    /// Switched on, and not unlocked since (Android).
    package var directBoot = false
    package var locale = "en-US"

    package enum AppState: String, Sendable, CaseIterable {
        case foreground, background, suspended, terminated, forceQuit
    }
    package enum Permission: String, Sendable, CaseIterable { case notDetermined, denied, authorized, provisional }

    package init() {}

    /// Those that are true or false.
    private static let flags: [(key: String, place: any WritableKeyPath<DeviceState, Bool> & Sendable)] = [
        ("online", \.online), ("locked", \.locked), ("focus", \.focus), ("doze", \.doze), ("lowPower", \.lowPower),
        ("backgroundRefresh", \.backgroundRefresh), ("forceStopped", \.forceStopped), ("directBoot", \.directBoot),
    ]
    private static let longestLocale = 64

    /// Takes over what a patch says; nothing, where any of it is wrong.
    package mutating func patch(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        guard json.kind == .object else { throw DeviceProblem(pointer: pointer, message: "A state must be an object.") }
        var next = self
        for (key, value) in json.members { try next.set(key.shortened, value, at: pointer) }
        self = next
    }

    mutating func set(_ key: String, _ value: JSONView, at pointer: String) throws(DeviceProblem) {
        let pointer = "\(pointer)/\(key)"
        if let flag = Self.flags.first(where: { $0.key == key }) {
            guard let wanted = value.bool else {
                throw DeviceProblem(pointer: pointer, message: "'\(key)' must be true or false.")
            }
            self[keyPath: flag.place] = wanted
            return
        }
        switch key {
        case "app": app = try Self.word(value, key, at: pointer)
        case "permission": permission = try Self.word(value, key, at: pointer)
        case "locale":
            guard let text = value.string, 1...Self.longestLocale ~= text.utf8.count else {
                throw DeviceProblem(pointer: pointer, message: "'locale' must be a language like 'en-US'.")
            }
            locale = text
        default:
            let known = Self.flags.map(\.key) + ["app", "permission", "locale"]
            throw DeviceProblem(
                pointer: pointer,
                message: "'\(key)' is no part of a state: take one of \(known.joined(separator: ", ")).")
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONView, _ key: String, at pointer: String
    ) throws(DeviceProblem) -> Word {
        if let known = value.string.flatMap(Word.init(rawValue:)) { return known }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw DeviceProblem(pointer: pointer, message: "'\(key)' must be one of \(words).")
    }

    /// - Parameter patch: only the keys that this has; nil: all.
    package func write(to json: inout JSONWriter, of patch: JSONView? = nil) {
        func isAsked(_ key: String) -> Bool { patch.map { $0[key] != nil } ?? true }
        json.object { json in
            if isAsked("app") { json.member("app", app.rawValue) }
            if isAsked("permission") { json.member("permission", permission.rawValue) }
            for flag in Self.flags where isAsked(flag.key) { json.member(flag.key, self[keyPath: flag.place]) }
            if isAsked("locale") { json.member("locale", locale) }
        }
    }
}

/// What is wrong with what a client says of a device, and where.
package struct DeviceProblem: Error, Sendable, Equatable {
    package let pointer: String
    package let message: String

    package init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }
}
