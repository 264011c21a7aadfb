internal import PushCore

/// Pushes to the kinds of tokens in `TokenKind` (docs/evidence/device.md §2.6). They show nothing by themselves. They
/// run the app or one of its extensions, even if the person does not allow notifications.
extension Device {
    /// After this many VoIP pushes without a call, VoIP pushes no longer wake the app (the number is assumed).
    static let unreportedCallLimit = 3

    mutating func receive(_ push: PushID, for kind: TokenKind, _ effects: inout [DeviceEffect]) {
        switch kind {
        case .voip: receiveCall(push, &effects)
        case .ptt:
            // An app that is force-quit leaves its Push to Talk channel.
            guard state.app != .forceQuit else { return suppress(push, .iosChannelLeft, &effects) }
            runApp("incomingPushResult", push, why: .iosPushToTalk, &effects)
        case .complication: runApp("didReceiveIncomingPush", push, why: .iosComplication, &effects, type: kind)
        case .fileprovider: runApp("didReceiveIncomingPush", push, why: .iosFileProvider, &effects, type: kind)
        case .location: emitCallback("didReceiveLocationPushPayload", push, why: .iosLocationPush, &effects)
        case .widgets: emitCallback("getTimeline", push, why: .iosWidgets, &effects)
        }
    }

    private var isActive: Bool { state.app == .foreground && !state.locked }

    /// PushKit launches the app in any state. The app has to report a call to CallKit; otherwise the system ends the
    /// app.
    private mutating func receiveCall(_ push: PushID, _ effects: inout [DeviceEffect]) {
        guard phone.unreportedCalls < Self.unreportedCallLimit || isActive else {
            return suppress(push, .iosCallsBlocked, &effects)
        }
        runApp("didReceiveIncomingPush", push, why: .iosVoIP, &effects, type: .voip)
        if phone.spec.reportsCalls {
            emitCallback("reportNewIncomingCall", push, why: .iosCall, &effects)
            emit(.presented, push, .iosCall, [("call", .string("incoming"))], &effects)
        } else {
            phone.unreportedCalls = min(phone.unreportedCalls + 1, Self.unreportedCallLimit)
            state.app = .terminated
            emit(.state, push, .iosCallNotReported, [("app", .string("terminated"))], &effects)
        }
    }

    /// Calls a method of the app. An app that is not running is launched in the background.
    private mutating func runApp(
        _ method: String, _ push: PushID, why: PhoneRule, _ effects: inout [DeviceEffect], type: TokenKind? = nil
    ) {
        switch state.app {
        case .foreground, .background: break
        case .suspended, .terminated, .forceQuit:
            state.app = .background
            emit(.state, push, why, [("app", .string("background"))], &effects)
        }
        var fields: [(String, JSONScalar)] = type.map { [("type", .string($0.rawValue))] } ?? []
        fields.append(("state", .string(isActive ? "active" : "background")))
        emitCallback(method, push, why: why, &effects, fields)
    }
}
