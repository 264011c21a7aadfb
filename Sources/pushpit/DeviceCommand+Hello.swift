internal import JSON
internal import PushpitClient

extension DeviceCommand {
    /// The first message of `pushpit device`: the device that the options describe.
    struct Hello {
        private let id: String?
        private let platform: Platform
        private let app: String
        private let script: Script
        private let tracking: Tracking

        private enum Platform: String, CaseIterable { case ios, android, web }
        private enum Script: String, CaseIterable { case none, firebase, adobe, echo, slow, crash }
        private enum Tracking: String, CaseIterable { case none, adobe }

        init(_ options: Options) throws(ExitFailure) {
            id = try options.text("id")
            platform = try options.choice("platform", Platform.self)
            app = try options.text("app") ?? ""
            script = try options.choice("extension", Script.self)
            tracking = try options.choice("tracking", Tracking.self)
        }

        /// Sends the whole device each time, because a restarted gateway has to create it again. The tokens are
        /// included unless the gateway has refused them.
        func send(to client: DeviceClient, _ view: DeviceView) {
            client.send("hello") { json in
                json.key("device")
                json.object { json in
                    if let id = view.device ?? id { json.member("id", id) }
                    json.member("platform", platform.rawValue)
                    json.member("app", app)
                    if script != .none {
                        json.key("extension")
                        json.object { $0.member("script", script.rawValue) }
                    }
                    if tracking != .none {
                        json.key("tracking")
                        json.object { $0.member("profile", tracking.rawValue) }
                    }
                    if !view.areTokensRefused { write(view.tokens, to: &json) }
                }
                if view.device != nil {
                    json.key("resume")
                    json.object { $0.member("after", view.lastSequence) }
                }
            }
        }

        private func write(_ tokens: [String: String], to json: inout JSONWriter) {
            if tokens.isEmpty { return }
            json.key("tokens")
            json.object { json in
                for (name, token) in tokens.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    json.object { $0.member(name == "liveActivity" ? "start" : "token", token) }
                }
            }
        }
    }
}
