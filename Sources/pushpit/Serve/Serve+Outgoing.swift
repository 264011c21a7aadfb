internal import Fetching
internal import Gateway
internal import PushCore

extension Serve {
    /// - Parameter isLocal: whether all listeners are on loopback.
    static func outgoing(_ options: Options, isLocal: Bool) throws(ExitFailure) -> OutgoingSettings {
        var settings = OutgoingSettings()
        if try options.text("fetch-media") != nil {
            settings.fetchMedia = try options.choice("fetch-media", OutgoingSettings.FetchMedia.self)
        } else if !isLocal {
            settings.fetchMedia = .off
        }
        settings.postback = try url(options, "postback", "like http://localhost:8080, without a query")
        settings.webhook = try url(options, "webhook", "like http://localhost:8080/events")
        if let prefix = settings.postback, prefix.contains("?") || prefix.contains("#") {
            throw options.invalid(
                "postback", withoutUser(prefix), "must end before the query, like http://localhost:8080")
        }
        if settings.postback ?? settings.webhook != nil, let problem = Outgoing.libraryProblem() {
            throw .unavailable("--webhook and --postback need libcurl: \(problem)")
        }
        return settings
    }

    private static func url(_ options: Options, _ name: String, _ example: String) throws(ExitFailure) -> String? {
        guard let text = try options.text(name) else { return nil }
        guard MediaURL.endpoint(of: text) != nil else {
            throw options.invalid(name, withoutUser(text), "must be an http or https URL \(example)")
        }
        return text
    }
}
