package import PushCore

extension DeviceRegistry {
    /// Creates a device with its own tokens. Nil if the spec has no platform or no app.
    package mutating func make(
        _ spec: DeviceSpec, in environment: PushEnvironment, at now: Timestamp, using generator: inout Random
    ) -> Int? {
        guard let platform = spec.platform, let app = spec.app else { return nil }
        let id = spec.id ?? makeID()
        let token = platform == .ios ? spec.apnsToken ?? DeviceToken(using: &generator) : nil
        let fcmToken = spec.fcmToken ?? FCMTokens.make(for: platform, using: &generator)
        var phone = Phone(spec: spec.phone)
        phone.spec.tracking.generateECID(using: &generator)
        var otherTokens = spec.otherTokens
        for kind in TokenKind.allCases where platform == .ios && otherTokens[kind] == nil {
            otherTokens[kind] = DeviceToken(using: &generator)
        }
        let activityToken =
            platform == .ios ? spec.activityToken ?? DeviceToken(.liveActivity, using: &generator) : nil
        return insert(
            Device(
                id: id, platform: platform, app: app, name: spec.name ?? id.description, apnsToken: token,
                activityToken: activityToken,
                otherTokens: otherTokens, fcmToken: fcmToken, fid: Self.fid(of: fcmToken), project: spec.project,
                environment: spec.environment ?? environment, state: spec.state,
                offlineSince: spec.state.online ? nil : now, phone: phone, isImplicit: false))
    }

    /// Creates a device for a message to an unknown registration token or installation id.
    package mutating func makeImplicitDevice(
        fcmToken: String, platform: Device.Platform, app: String, environment: PushEnvironment,
        using generator: inout Random
    ) -> Int {
        let id = makeID()
        let token = platform == .ios ? DeviceToken(using: &generator) : nil
        return insert(
            Device(
                id: id, platform: platform, app: app, name: id.description, apnsToken: token, fcmToken: fcmToken,
                fid: Self.fid(of: fcmToken),
                project: nil, environment: environment, state: DeviceState(), isImplicit: true))
    }

    /// Creates a device for a push to an unknown APNs token. It has no registration token.
    package mutating func makeImplicitDevice(
        apnsToken: DeviceToken, app: String, environment: PushEnvironment
    ) -> Int {
        let id = makeID()
        return insert(
            Device(
                id: id, platform: .ios, app: app, name: id.description, apnsToken: apnsToken, fcmToken: "", fid: "",
                project: nil, environment: environment,
                state: DeviceState(), isImplicit: true))
    }

    /// Creates the device of a real receiver.
    package mutating func makeReceiver(
        _ receiver: Device.Receiver, app: String, in environment: PushEnvironment
    ) -> Int {
        var state = DeviceState()
        state.online = false
        return insert(
            Device(
                id: makeID(), platform: .web, app: app, name: receiver.client, apnsToken: nil, fcmToken: "", fid: "",
                project: nil, environment: environment, state: state, isImplicit: false, receiver: receiver))
    }

    /// Gives a simulated browser a push subscription, or ends it.
    package mutating func setSubscription(_ subscription: WebSubscription?, _ slot: Int) {
        devices[slot].subscription = subscription
    }

    /// From now on, ids of new devices have larger numbers than this.
    package mutating func skipIDs(upTo number: Int) { lastIDNumber = max(lastIDNumber, number) }

    private mutating func makeID() -> DeviceID {
        repeat { lastIDNumber += 1 } while byID[DeviceID("d\(lastIDNumber)")] != nil
        return DeviceID("d\(lastIDNumber)")
    }
}
