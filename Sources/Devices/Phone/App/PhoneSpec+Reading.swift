internal import JSON
internal import PushCore

/// Reading a spec from JSON (docs/devices.md).
extension PhoneSpec {
    /// The maximum number of elements of an array.
    static let maxElements = 100
    /// The longest text in bytes.
    static let maxLength = 256

    init(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        if let part = try Reader(json, at: pointer).object("extension") {
            `extension` = try ExtensionSpec(part.allowing(["script", "seconds", "titleSuffix", "imageKey"]))
        }
        if let part = try Reader(json, at: pointer).object("tracking") {
            tracking = try TrackingSpec(part.allowing(["profile", "ecid", "privacy"]))
        }
        for part in try Reader(json, at: pointer).objects("categories") {
            categories.append(try NotificationCategory(part.allowing(["id", "customDismissAction", "actions"])))
        }
        if let part = try Reader(json, at: pointer).object("appConfig") { app = try AppConfig(part) }
        try readTexts(json, at: pointer)
        backgroundBudget = try Reader(json, at: pointer).budget("backgroundBudget")
        reportsCalls = try Reader(json, at: pointer).flag("reportsCalls", else: true)
        for part in try Reader(json, at: pointer).objects("channels") {
            channels.append(try NotificationChannel(part.allowing(["id", "importance"])))
        }
    }

    /// Reads texts by language and key: `{"de":{"GREETING":"Hallo %@"}}`.
    private mutating func readTexts(_ json: JSONView, at pointer: String) throws(DeviceProblem) {
        guard let languages = json["texts"], !languages.isNull else { return }
        let problem = DeviceProblem(
            pointer: "\(pointer)/texts",
            message:
                #"'texts' must be like {"en":{"GREETING":"Hello %@"}}, with at most 1,000 texts; a key and its text may have 1,024 bytes together."#
        )
        var count = 0
        guard languages.kind == .object else { throw problem }
        for (language, table) in languages.members {
            guard table.kind == .object, language.string?.utf8.count ?? 0 <= Self.maxLength else { throw problem }
            for (key, text) in table.members {
                count += 1
                guard let text = text.string, let key = key.string, count <= Self.maxTexts,
                    text.utf8.count + key.utf8.count <= Self.bytesOfKeyAndText
                else { throw problem }
                texts.add(text, key, in: language.string ?? "")
            }
        }
    }

    private static let maxTexts = 1000
    private static let bytesOfKeyAndText = 1024

    /// An object of a spec, with a JSON pointer to it for errors.
    struct Reader {
        private let json: JSONView
        private let pointer: String

        init(_ json: JSONView, at pointer: String) {
            self.json = json
            self.pointer = pointer
        }

        func problem(_ key: String, _ message: String) -> DeviceProblem {
            DeviceProblem(pointer: "\(pointer)/\(key)", message: message)
        }

        /// Throws if the object has members other than these.
        func allowing(_ known: [String]) throws(DeviceProblem) -> Reader {
            for (key, _) in json.members where !known.contains(where: key.equals) {
                throw problem(
                    key.shortened, ControlProblem.sentences(aboutUnknown: key.shortened, among: known))
            }
            return self
        }

        func value(_ key: String) -> JSONView? { json[key].flatMap { $0.isNull ? nil : $0 } }

        func object(_ key: String) throws(DeviceProblem) -> Reader? {
            guard let value = value(key) else { return nil }
            guard value.kind == .object else { throw problem(key, "'\(key)' must be an object.") }
            return Reader(value, at: "\(pointer)/\(key)")
        }

        func objects(_ key: String) throws(DeviceProblem) -> [Reader] {
            guard let value = value(key) else { return [] }
            guard value.kind == .array, value.count <= PhoneSpec.maxElements else {
                throw problem(key, "'\(key)' must be an array of at most \(PhoneSpec.maxElements) objects.")
            }
            var found: [Reader] = []
            for element in value.elements {
                let elementPointer = "\(pointer)/\(key)/\(found.count)"
                guard element.kind == .object else {
                    throw DeviceProblem(
                        pointer: elementPointer, message: "Each element of '\(key)' must be an object.")
                }
                found.append(Reader(element, at: elementPointer))
            }
            return found
        }

        func text(_ key: String) throws(DeviceProblem) -> String? {
            guard let value = value(key) else { return nil }
            guard let text = value.string, text.utf8.count <= PhoneSpec.maxLength else {
                throw problem(key, "'\(key)' must be a string of at most \(PhoneSpec.maxLength) bytes.")
            }
            return text
        }

        /// Checks a member that Pushpit does not use: throws if its value is not a string. The string may be longer
        /// than the limit for stored texts.
        func checkText(_ key: String) throws(DeviceProblem) {
            guard let value = value(key), value.string == nil else { return }
            throw problem(key, "'\(key)' must be a string.")
        }

        func requiredText(_ key: String) throws(DeviceProblem) -> String {
            guard let text = try text(key), !text.isEmpty else { throw problem(key, "'\(key)' is required.") }
            return text
        }

        func flag(_ key: String, else standard: Bool = false) throws(DeviceProblem) -> Bool {
            guard let value = value(key) else { return standard }
            guard let flag = value.bool else { throw problem(key, "'\(key)' must be true or false.") }
            return flag
        }

        func budget(_ key: String) throws(DeviceProblem) -> Int64? {
            guard let value = value(key) else { return nil }
            guard let count = value.exactInteger, 0...1000 ~= count else {
                throw problem(key, "'\(key)' must be a whole number from 0 to 1000: wake-ups per hour.")
            }
            return count
        }

        func seconds(_ key: String) throws(DeviceProblem) -> Int64? {
            guard let value = value(key) else { return nil }
            guard let seconds = value.exactInteger, 0...3600 ~= seconds else {
                throw problem(key, "'\(key)' must be a whole number of seconds from 0 to 3600.")
            }
            return seconds
        }

        func enumValue<Word: RawRepresentable<String> & CaseIterable>(_ key: String, else standard: Word)
            throws(DeviceProblem) -> Word
        {
            guard let text = try text(key) else { return standard }
            if let word = Word(rawValue: text) { return word }
            throw problem(
                key, ControlProblem.sentences(aboutUnknown: text, among: Word.allCases.map(\.rawValue)))
        }
    }
}

extension ExtensionSpec {
    fileprivate init(_ json: PhoneSpec.Reader) throws(DeviceProblem) {
        script = try json.enumValue("script", else: .none)
        seconds = try json.seconds("seconds") ?? 10
        titleSuffix = try json.text("titleSuffix")
        imageKey = try json.text("imageKey").map { text throws(DeviceProblem) in
            let pointer = JSONPointer(text.hasPrefix("/") ? text : "/\(text)")
            guard let pointer, pointer.tokens != [""], script == .firebase || script == .adobe else {
                throw json.problem(
                    "imageKey",
                    "'\(text)' is not a key of the payload, or the script is neither firebase nor adobe.")
            }
            return pointer
        }
    }
}

extension TrackingSpec {
    fileprivate init(_ json: PhoneSpec.Reader) throws(DeviceProblem) {
        profile = try json.enumValue("profile", else: .none)
        ecid = try json.text("ecid") ?? ecid
        privacy = try json.enumValue("privacy", else: .optedin)
    }
}

extension NotificationCategory {
    fileprivate init(_ json: PhoneSpec.Reader) throws(DeviceProblem) {
        id = try json.requiredText("id")
        hasDismissAction = try json.flag("customDismissAction")
        for part in try json.objects("actions") {
            let id = try part.allowing(["id", "title", "foreground", "text"]).requiredText("id")
            actions.append(
                Action(
                    id: id, title: try part.text("title") ?? id, isForeground: try part.flag("foreground"),
                    takesText: try part.flag("text")))
        }
    }
}

extension NotificationChannel {
    fileprivate init(_ json: PhoneSpec.Reader) throws(DeviceProblem) {
        id = try json.requiredText("id")
        importance = try json.enumValue("importance", else: .default)
    }
}
