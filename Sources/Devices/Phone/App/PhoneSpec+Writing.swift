internal import JSON

extension PhoneSpec {
    /// Writes the members in the format that `init(_:at:)` reads, into an object that has been opened.
    func write(to json: inout JSONWriter) {
        json.key("extension")
        json.object { json in
            json.member("script", `extension`.script.rawValue)
            json.member("seconds", `extension`.seconds)
            if let suffix = `extension`.titleSuffix { json.member("titleSuffix", suffix) }
            if let key = `extension`.imageKey { json.member("imageKey", key.description) }
        }
        json.key("tracking")
        json.object { json in
            json.member("profile", tracking.profile.rawValue)
            if !tracking.ecid.isEmpty { json.member("ecid", tracking.ecid) }
            json.member("privacy", tracking.privacy.rawValue)
        }
        json.key("appConfig")
        app.write(to: &json)
        if let budget = backgroundBudget { json.member("backgroundBudget", budget) }
        if !reportsCalls { json.member("reportsCalls", false) }
        json.key("texts")
        json.object { json in
            for (language, table) in texts.languages {
                json.key(language)
                json.object { json in for (key, text) in table { json.member(key, text) } }
            }
        }
        json.key("categories")
        json.array { json in
            for category in categories {
                json.object { json in
                    json.member("id", category.id)
                    json.member("customDismissAction", category.hasDismissAction)
                    json.key("actions")
                    json.array { json in
                        for action in category.actions {
                            json.object { json in
                                json.member("id", action.id)
                                json.member("title", action.title)
                                json.member("foreground", action.isForeground)
                                json.member("text", action.takesText)
                            }
                        }
                    }
                }
            }
        }
        json.key("channels")
        json.array { json in
            for channel in channels {
                json.object { json in
                    json.member("id", channel.id)
                    json.member("importance", channel.importance.rawValue)
                }
            }
        }
    }
}
