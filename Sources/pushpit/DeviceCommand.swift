internal import EventLoop
internal import Gateway
internal import Glibc
internal import JSON
internal import PushpitClient

/// `pushpit device`: registers a device, shows the pushes that it gets and what happens to them, and reacts to keys.
enum DeviceCommand {
    /// Milliseconds between two attempts to reconnect.
    private static let retryDelay: UInt32 = 1000

    static func run(_ options: Options) throws(ExitFailure) {
        let (url, address) = try Ready.gateway(options)
        let isJSON = try options.choice("json", Switch.self) == .on
        let hello = try Hello(options)
        let token = try options.apiToken()
        let terminal = isJSON ? nil : Terminal()
        defer { terminal?.restore() }
        var view = DeviceView(url: url, isJSON: isJSON)
        while true {
            do throws(BlockingClient.Failure) {
                let client = try DeviceClient(to: address, apiToken: token, seed: UInt64(EventLoop.nanoseconds))
                hello.send(to: client, view)
                if !run(client, hello, &view, terminal) { return }
                view.note(
                    "the gateway closed the connection\(client.closeText.isEmpty ? "" : " (\(client.closeText))"); reconnecting"
                )
            } catch {
                let isRefused = error.status == 401 || error.status == 403
                if view.device == nil || isRefused {
                    throw failure(error.description, status: error.status, Ready.remedy(options))
                }
            }
            usleep(retryDelay * 1000)
        }
    }

    /// How the command ends if it cannot open a socket at the gateway. The codes are those of `pushpit expect`.
    ///
    /// - Parameters:
    ///   - status: the status of the gateway's answer; nil if it did not answer.
    ///   - remedy: what to do if no gateway listens there.
    static func failure(_ description: String, status: Int?, _ remedy: String) -> ExitFailure {
        switch status {
        case 401, 403: ExitFailure(code: 77, message: description)
        case nil: .unavailable("\(description)\(remedy)")
        case _?: .unavailable("\(description); check that a gateway listens there")
        }
    }

    /// Handles frames and keys. Returns false when the user quits, true when the connection ends.
    private static func run(
        _ client: DeviceClient, _ hello: Hello, _ view: inout DeviceView, _ terminal: Terminal?
    ) -> Bool {
        while !client.isClosed {
            let (hasMessages, hasInput) = client.wait(alsoFor: terminal?.descriptor, milliseconds: -1)
            if hasMessages {
                for message in client.receive() {
                    let wereRefused = view.areTokensRefused
                    if let text = view.receive(message) { printOutput(text) }
                    if view.areTokensRefused, !wereRefused { hello.send(to: client, view) }
                }
            }
            guard hasInput, let terminal else { continue }
            guard let keys = terminal.keys() else { continue }
            for key in keys {
                if key == "q" { return false }
                press(key, client, &view)
            }
        }
        return true
    }

    private static func press(_ key: Character, _ client: DeviceClient, _ view: inout DeviceView) {
        func set(_ state: String, _ isOn: Bool) {
            client.send("state") {
                $0.key("set")
                $0.object { $0.member(state, isOn) }
            }
        }
        func setAppState(_ state: String) {
            client.send("state") {
                $0.key("set")
                $0.object { $0.member("app", state) }
            }
        }
        func act(_ kind: String) {
            guard let entry = view.shade.last else { return view.note("there is no notification") }
            client.send("act") { json in
                json.member("notification", entry)
                json.member("kind", kind)
            }
        }
        switch key {
        case "o": act("open")
        case "d": act("dismiss")
        case "c": client.send("clearAll")
        case "f": setAppState("foreground")
        case "b": setAppState("background")
        case "k": client.send("forceQuit")
        case "a": client.send("launch")
        case "l": set("locked", !view.isOn("locked"))
        case "n": set("online", !view.isOn("online"))
        case "\n", "\r", " ": break
        default: view.note(DeviceView.keys)
        }
    }
}
