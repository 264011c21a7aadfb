package import PushCore

/// Every device, found by its id and by its tokens. A device keeps its place in the list until it is forgotten.
///
/// There is one: a copy would be a mistake, and a slow one.
package struct DeviceRegistry: ~Copyable, Sendable {
    private let capacity: Int
    var devices: [Device] = []
    /// Where to look next for one to forget: the places are a ring, the oldest device ahead.
    private var oldest = 0
    private var byID: [DeviceID: Int] = [:]
    private var byAPNsToken: [DeviceToken: Int] = [:]
    /// Whose Live Activities: of that type, or any that is to start.
    var byActivityToken: [DeviceToken: (place: Int, type: String?)] = [:]
    /// By the registration token, and by the installation's id.
    private var byFCMToken: [String: Int] = [:] { didSet { newestFound = nil } }
    /// Who was looked for last: many send to one device again and again, and a token is long.
    private var newestFound: (token: String, place: Int)?
    var retired = RetiredTokens()
    /// Of each place: nothing keeps a push by that service from its device. Nearly all are like that, and no device is
    /// looked at.
    private var isOpen: [(toApple: Bool, toGoogle: Bool)] = []
    var topics = TopicIndex()
    private(set) var generation = 0
    private var made = 0
    /// The places of devices that are gone, for the next.
    private var free: [Int] = []
    /// What all waiting pushes hold in memory.
    package internal(set) var waitingBytes = 0
    /// What all shades hold.
    var shadeBytes = 0

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { byID.count }

    package subscript(place: Int) -> Device { devices[place] }

    /// The id alone, without a copy of the whole device.
    package func id(at place: Int) -> DeviceID { devices[place].id }

    package func app(at place: Int) -> String { devices[place].app }

    package func platform(at place: Int) -> Device.Platform { devices[place].platform }

    package func fid(at place: Int) -> String { devices[place].fid }

    package func place(of id: DeviceID) -> Int? { byID[id] }

    /// Whose an APNs token is.
    package func binding(of token: DeviceToken, at now: Timestamp, _ rule: UnregisterRule) -> TokenBinding? {
        if let place = byAPNsToken[token] {
            return binding(place, devices[place].isImplicit ? .any : .app, at: now, rule)
        }
        if let owner = byActivityToken[token] { return binding(owner.place, .liveActivity, at: now, rule) }
        return retired.owner(of: token).map { place, kind, since in
            TokenBinding(
                place: place, app: devices[place].app, environment: devices[place].environment, kind: kind,
                unregistered: since)
        }
    }

    private func binding(_ place: Int, _ kind: TokenBinding.Kind, at now: Timestamp, _ rule: UnregisterRule)
        -> TokenBinding
    {
        TokenBinding(
            place: place, app: devices[place].app, environment: devices[place].environment, kind: kind,
            unregistered: devices[place].uninstalled.flatMap {
                rule.unregistered(since: $0, lostPushes: devices[place].lostPushes, at: now)
            })
    }

    /// Makes a device with tokens of its own. Nil where the spec says too little.
    package mutating func make(
        _ spec: DeviceSpec, in environment: PushEnvironment, using generator: inout Random
    ) -> Int? {
        guard let platform = spec.platform, let app = spec.app else { return nil }
        let id = spec.id ?? makeID()
        let token = platform == .ios ? spec.apnsToken ?? DeviceToken(using: &generator) : nil
        let fcmToken = spec.fcmToken ?? FCMTokens.make(for: platform, using: &generator)
        var phone = Phone(spec: spec.phone)
        phone.spec.tracking.mint(using: &generator)
        return insert(
            Device(
                id: id, platform: platform, app: app, name: spec.name ?? id.description, apnsToken: token,
                activityToken: platform == .ios ? DeviceToken(.liveActivity, using: &generator) : nil,
                fcmToken: fcmToken, fid: Self.fid(of: fcmToken), project: spec.project,
                environment: spec.environment ?? environment, state: spec.state, phone: phone, isImplicit: false))
    }

    /// Makes the device that a message to an unknown registration token, or to an unknown installation, stands for.
    package mutating func makeImplicit(
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

    /// A token that a client has chosen must be nobody's.
    package func requireUnusedTokens(_ spec: DeviceSpec, at pointer: String) throws(DeviceProblem) {
        func demand(_ owner: Int?, _ provider: String) throws(DeviceProblem) {
            guard let owner else { return }
            throw DeviceProblem(
                pointer: "\(pointer)/tokens/\(provider)",
                message:
                    "The token is that of the device '\(devices[owner].id)': name it by its id, or take another token.")
        }
        if spec.apnsToken != nil, let platform = spec.platform, platform != .ios {
            throw DeviceProblem(pointer: "\(pointer)/tokens/apns", message: "Only an iOS device has APNs tokens.")
        }
        try demand(spec.apnsToken.flatMap { byAPNsToken[$0] ?? byActivityToken[$0]?.place }, "apns")
        try demand(spec.fcmToken.flatMap { byFCMToken[$0] ?? byFCMToken[Self.fid(of: $0)] }, "fcm")
    }

    static func fid(of token: String) -> String { String(token.prefix { $0 != ":" }) }

    /// Whose a registration token or an installation's id is.
    package func place(ofFCM token: String) -> Int? { byFCMToken[token] }

    /// The same, for one that is likely to be looked for again.
    mutating func find(_ token: String) -> Int? {
        if let newestFound, newestFound.token == token { return newestFound.place }
        guard let place = place(ofFCM: token) else { return nil }
        newestFound = (token, place)
        return place
    }

    /// The registration token of the device that has this APNs token.
    package func fcmToken(ofAPNs token: DeviceToken) -> String? { byAPNsToken[token].map { devices[$0].fcmToken } }

    /// Makes the device that a push to an unknown token stands for. It has no registration with Google.
    package mutating func makeImplicit(
        apnsToken: DeviceToken, app: String, environment: PushEnvironment
    ) -> Int {
        let id = makeID()
        return insert(
            Device(
                id: id, platform: .ios, app: app, name: id.description, apnsToken: apnsToken, fcmToken: "", fid: "",
                project: nil, environment: environment,
                state: DeviceState(), isImplicit: true))
    }

    /// Makes room for another device where there is none: forgets the oldest that nobody keeps, and tells which.
    /// Where all are kept there is no room.
    package mutating func makeRoom(keeping isKept: (Int) -> Bool) -> (hasRoom: Bool, forgotten: Device?) {
        guard devices.count >= capacity, free.isEmpty else { return (true, nil) }
        for _ in devices.indices {
            let place = oldest
            oldest = (oldest + 1) % devices.count
            if !isKept(place) { return (true, remove(place)) }
        }
        return (false, nil)
    }

    /// Forgets a device; its place is another's from now on.
    package mutating func remove(_ place: Int) -> Device {
        let gone = devices[place]
        unsubscribeAll(place)
        byID[gone.id] = nil
        if let token = gone.apnsToken { byAPNsToken[token] = nil }
        for token in gone.activityTokens { byActivityToken[token.token] = nil }
        // Another token of the same installation may have come since.
        for name in [gone.fcmToken, gone.fid] where byFCMToken[name] == place { byFCMToken[name] = nil }
        for push in gone.waiting { waitingBytes -= push.size }
        shadeBytes -= gone.phone.shade.size
        retired.forget(place)
        devices[place] = Device.vacant
        deviceChanged(place)
        free.append(place)
        return gone
    }

    /// Whether somebody is at that place.
    package func isTaken(_ place: Int) -> Bool { byID[devices[place].id] == place }

    /// The places that are taken, the oldest device's first.
    package var byAge: [Int] {
        // Without closures over what can't be copied: the optimizer of Swift 6.3 let go of an array twice.
        var taken: [(birth: Int, place: Int)] = []
        for place in devices.indices where isTaken(place) { taken.append((devices[place].birth, place)) }
        // Places are given out in order until one is free again, and a sorted array is sorted quickly.
        taken.sort { $0.birth < $1.birth }
        return taken.map(\.place)
    }

    /// Every place there ever was; not each is taken.
    package var places: Range<Int> { devices.indices }

    /// What becomes of a push that comes now.
    package func outcome(of push: PushTraits, at place: Int, _ now: Timestamp) -> TransitOutcome {
        switch push.provider {
        case .apns where isOpen[place].toApple && push.expires.map { $0 > now } ?? true: .delivered
        case .fcm where isOpen[place].toGoogle: .fcmDelivered
        case .apns, .fcm: devices[place].outcome(of: push, at: now)
        }
    }

    /// A push to its own token came for an app that is gone: by that the service notices.
    package mutating func losePush(_ place: Int) { devices[place].lostPushes += 1 }

    mutating func deviceChanged(_ place: Int) {
        let state = devices[place].state
        isOpen[place] = (
            toApple: devices[place].uninstalled == nil && state.online && !state.lowPower && !state.locked
                && state.permission != .denied,
            toGoogle: !devices[place].isGone && state.online && !state.directBoot && !state.forceStopped && !state.doze
        )
    }

    /// Which Live Activity a token is of; nil where it is none's.
    package func activity(of token: DeviceToken) -> String? { byActivityToken[token]?.type }

    mutating func setToken(_ token: DeviceToken, _ place: Int) {
        devices[place].apnsToken = token
        byAPNsToken[token] = place
    }

    mutating func setToken(_ token: String, _ place: Int) {
        devices[place].fcmToken = token
        byFCMToken[token] = place
        byFCMToken[devices[place].fid] = place
    }

    mutating func forgetToken(_ token: DeviceToken, _ place: Int) {
        devices[place].apnsToken = nil
        byAPNsToken[token] = nil
    }

    mutating func forgetToken(_ token: String, _ place: Int) {
        devices[place].fcmToken = ""
        byFCMToken[token] = nil
        byFCMToken[devices[place].fid] = nil
    }

    mutating func insert(_ device: Device) -> Int {
        let place = free.popLast() ?? devices.count
        if place == devices.count {
            devices.append(device)
            isOpen.append((false, false))
        } else {
            devices[place] = device
        }
        generation += 1
        devices[place].birth = generation
        deviceChanged(place)
        byID[device.id] = place
        if let token = device.apnsToken { byAPNsToken[token] = place }
        for (type, token) in device.activityTokens { byActivityToken[token] = (place, type) }
        if !device.fcmToken.isEmpty {
            byFCMToken[device.fcmToken] = place
            byFCMToken[device.fid] = place
        }
        return place
    }

    private mutating func makeID() -> DeviceID {
        repeat { made += 1 } while byID[DeviceID("d\(made)")] != nil
        return DeviceID("d\(made)")
    }
}
