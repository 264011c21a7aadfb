internal import Devices
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// User actions and token changes.
extension ControlAPI {
    private enum Act: String, CaseIterable {
        case open, dismiss, action, clearAll, launch, forceQuit, uninstall, install
    }

    /// Simulates a user action.
    static func act(_ call: Call) throws(ControlProblem) -> Response {
        let slot = try slot(call, call.name)
        let body = try call.body()
        var fields = try FieldReader(body, at: "")
        guard let kind = try fields.word("kind", Act.self) else {
            throw fields.problem("kind", "is required: \(Act.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        for key in ["notification", "actionId", "text"] { _ = try fields.string(key) }
        try fields.end()
        try convertingProblems { () throws(DeviceProblem) in
            let command: DeviceCommand =
                switch kind {
                case .open, .dismiss, .action: .act(try UserAction(body))
                case .clearAll: .clearAll
                case .launch: .launch
                case .forceQuit: .forceQuit
                case .uninstall: .uninstall
                case .install: .install
                }
            try call.host.box.engine.perform(command, on: slot, at: call.now)
        }
        return showDevice(at: slot, call)
    }

    /// Rotates or deletes a token.
    static func changeTokens(_ call: Call) throws(ControlProblem) -> Response {
        let slot = try slot(call, call.name)
        var fields = try FieldReader(try call.body(), at: "")
        guard let op = try fields.word("op", TokenChange.self) else {
            throw fields.problem("op", "is required: rotate or delete")
        }
        guard let provider = try fields.word("provider", Provider.self) else {
            throw fields.problem("provider", "is required: apns or fcm")
        }
        let kind = try fields.word("kind", TokenKind.self)
        try fields.end()
        let command: DeviceCommand = op == .rotate ? .rotateToken(provider, kind) : .deleteToken(provider, kind)
        do throws(DeviceProblem) { try call.host.box.engine.perform(command, on: slot, at: call.now) } catch {
            throw ControlProblem(status: 409, code: "conflict", message: error.message)
        }
        return showDevice(at: slot, call)
    }

    private enum TokenChange: String, CaseIterable { case rotate, delete }
}
