internal import JSON
internal import PushCore

/// The member `appConfig` of a device spec.
extension AppConfig {
    private static let keys = [
        "entitlements", "willPresent", "allowsHTTP", "sounds", "defaultChannel", "icon", "color", "clickActions",
    ]

    convenience init(_ json: PhoneSpec.Reader) throws(DeviceProblem) {
        let json = try json.allowing(Self.keys)
        var android = Manifest()
        android.defaultChannel = try json.name("defaultChannel")
        android.icon = try json.name("icon")
        android.color = try json.text("color")
        if let color = android.color, !Self.isColor(color) {
            throw json.problem("color", "'\(color.prefix(100))' is not a colour like '#ff8800'.")
        }
        android.clickActions = try json.texts("clickActions")
        self.init(
            entitlements: try json.enumValues("entitlements"),
            willPresent: try json.enumValues("willPresent") ?? Self.standardPresentation,
            allowsHTTP: try json.flag("allowsHTTP"), sounds: try json.texts("sounds"), android: android)
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && text.dropFirst().allSatisfy(\.isHexDigit)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let entitlements { json.member("entitlements", entitlements.map(\.rawValue)) }
            json.member("willPresent", willPresent.map(\.rawValue))
            json.member("allowsHTTP", allowsHTTP)
            if let sounds { json.member("sounds", sounds) }
            if let defaultChannel { json.member("defaultChannel", defaultChannel) }
            if let icon { json.member("icon", icon) }
            if let color { json.member("color", color) }
            if let clickActions { json.member("clickActions", clickActions) }
        }
    }
}

extension PhoneSpec.Reader {
    /// Nil if the member is missing.
    fileprivate func name(_ key: String) throws(DeviceProblem) -> String? {
        let text = try text(key)
        if text == "" { throw problem(key, "'\(key)' is empty. Omit it if the app has none.") }
        return text
    }

    /// Nil if the member is missing.
    fileprivate func texts(_ key: String) throws(DeviceProblem) -> [String]? {
        guard let value = value(key) else { return nil }
        let texts = value.kind == .array ? value.elements.map(\.string) : []
        let limit = PhoneSpec.maxElements
        guard value.kind == .array, value.count <= limit,
            texts.allSatisfy({ $0.map { 1...PhoneSpec.maxLength ~= $0.utf8.count } ?? false })
        else {
            throw problem(
                key, "'\(key)' must be an array of at most \(limit) strings of 1 to \(PhoneSpec.maxLength) bytes.")
        }
        return texts.compactMap(\.self)
    }

    /// Nil if the member is missing.
    fileprivate func enumValues<Word: RawRepresentable<String> & CaseIterable>(_ key: String) throws(DeviceProblem)
        -> [Word]?
    {
        guard let texts = try texts(key) else { return nil }
        var words: [Word] = []
        for text in texts {
            guard let word = Word(rawValue: text) else {
                throw problem(
                    key, ControlProblem.sentences(aboutUnknown: text, among: Word.allCases.map(\.rawValue)))
            }
            words.append(word)
        }
        return words
    }
}
