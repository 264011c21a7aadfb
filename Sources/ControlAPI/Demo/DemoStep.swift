internal import JSON

/// Something that happens on the demo's day.
struct DemoStep {
    /// Minutes before now.
    let ago: Int
    let action: Action

    enum Action {
        /// A call to the control API.
        case call(DemoMethod, String, JSONValue)
        case subscribe(String, to: String)
        /// A push to a device's own token, with these header fields besides the topic.
        case apple(String, fields: [String: String] = [:], JSONValue)
        /// A push to a Live Activity of this type: the state, and what else is in `aps`.
        case activity(String, type: String, JSONValue, JSONValue = [:])
        /// A message to the registration token of this device. Without a device, the message itself names its target.
        case google(String? = nil, project: String, JSONValue)
        /// What the owner of a device does with the newest notification, or with the app.
        case act(String, String, action: String? = nil)
    }

    enum DemoMethod { case post, put, patch }

    init(_ ago: Int, _ action: Action) {
        self.ago = ago
        self.action = action
    }

    static func device(_ ago: Int, _ id: String, _ spec: JSONValue) -> DemoStep {
        guard case .object(let members) = spec else { preconditionFailure("the device \(id) is not an object") }
        return DemoStep(ago, .call(.post, "/devices", .object([("id", .string(id))] + members)))
    }
}
