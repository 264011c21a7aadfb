package import PushCore

/// All devices, with lookup by id and by token. A device keeps its place (its index) until it is removed; then another
/// device may get it.
///
/// The registry can't be copied, because there is only one, and a copy would be slow.
package struct DeviceRegistry: ~Copyable, Sendable {
    private let capacity: Int
    var devices: [Device] = []
    /// The devices that pushes to unknown tokens created, oldest first. Some may be removed by now.
    private var implicitDevices: ArraySlice<DeviceRef> = []
    private var byID: [DeviceID: Int] = [:]
    private var byAPNsToken: [DeviceToken: Int] = [:]
    /// The owners of Live Activity tokens. Without a type, the token starts activities of any type.
    var byActivityToken: [DeviceToken: (place: Int, type: String?)] = [:]
    /// Places by registration token and by installation id.
    private var byFCMToken: [String: Int] = [:] { didSet { lastLookup = nil } }
    /// The last lookup. Many senders push to the same device again and again, and hashing a long token takes time.
    private var lastLookup: (token: String, place: Int)?
    var retired = RetiredTokens()
    /// For each place, whether pushes of a service reach the device at once. This is true for nearly all devices, and
    /// then the device itself is not read.
    private var deliversAtOnce: [(apns: Bool, fcm: Bool)] = []
    var topics = TopicIndex()
    /// How many devices were ever created.
    package private(set) var generation = 0
    /// The number in the last generated id.
    private var lastIDNumber = 0
    /// The places of removed devices, to be used again.
    private var freePlaces: [Int] = []
    /// The memory of all waiting pushes in bytes.
    package internal(set) var waitingBytes = 0
    /// The memory of all shades in bytes.
    var shadeBytes = 0

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { byID.count }

    package subscript(place: Int) -> Device { devices[place] }

    /// Only the id, without copying the whole device.
    package func id(at place: Int) -> DeviceID { devices[place].id }

    package func app(at place: Int) -> String { devices[place].app }

    package func platform(at place: Int) -> Device.Platform { devices[place].platform }

    package func fid(at place: Int) -> String { devices[place].fid }

    package func place(of id: DeviceID) -> Int? { byID[id] }

    /// The device bound to an APNs token; nil if the token is unknown.
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

    /// Creates a device with its own tokens. Nil if the spec has no platform or no app.
    package mutating func make(
        _ spec: DeviceSpec, in environment: PushEnvironment, using generator: inout Random
    ) -> Int? {
        guard let platform = spec.platform, let app = spec.app else { return nil }
        let id = spec.id ?? makeID()
        let token = platform == .ios ? spec.apnsToken ?? DeviceToken(using: &generator) : nil
        let fcmToken = spec.fcmToken ?? FCMTokens.make(for: platform, using: &generator)
        var phone = Phone(spec: spec.phone)
        phone.spec.tracking.generateECID(using: &generator)
        return insert(
            Device(
                id: id, platform: platform, app: app, name: spec.name ?? id.description, apnsToken: token,
                activityToken: platform == .ios ? DeviceToken(.liveActivity, using: &generator) : nil,
                fcmToken: fcmToken, fid: Self.fid(of: fcmToken), project: spec.project,
                environment: spec.environment ?? environment, state: spec.state, phone: phone, isImplicit: false))
    }

    /// Creates a device for a message to an unknown registration token or installation id.
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

    /// Throws if a token that the client chose belongs to a device already.
    package func requireUnusedTokens(_ spec: DeviceSpec, at pointer: String) throws(DeviceProblem) {
        func requireUnused(_ owner: Int?, _ provider: String) throws(DeviceProblem) {
            guard let owner else { return }
            throw DeviceProblem(
                pointer: "\(pointer)/tokens/\(provider)",
                message:
                    "The token belongs to the device '\(devices[owner].id)': use the id of that device, or another token."
            )
        }
        if spec.apnsToken != nil, let platform = spec.platform, platform != .ios {
            throw DeviceProblem(pointer: "\(pointer)/tokens/apns", message: "Only an iOS device has APNs tokens.")
        }
        try requireUnused(spec.apnsToken.flatMap { byAPNsToken[$0] ?? byActivityToken[$0]?.place }, "apns")
        try requireUnused(spec.fcmToken.flatMap { byFCMToken[$0] ?? byFCMToken[Self.fid(of: $0)] }, "fcm")
    }

    static func fid(of token: String) -> String { String(token.prefix { $0 != ":" }) }

    /// The device of a registration token or installation id; nil if it is unknown.
    package func place(ofFCM token: String) -> Int? { byFCMToken[token] }

    /// The same, but remembers the result for the next lookup of the same token.
    mutating func cachedPlace(_ token: String) -> Int? {
        if let lastLookup, lastLookup.token == token { return lastLookup.place }
        guard let place = place(ofFCM: token) else { return nil }
        lastLookup = (token, place)
        return place
    }

    /// The registration token of the device that has this APNs token.
    package func fcmToken(ofAPNs token: DeviceToken) -> String? { byAPNsToken[token].map { devices[$0].fcmToken } }

    /// Creates a device for a push to an unknown APNs token. It has no registration token.
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

    /// What a client is told that asks for a device too many.
    package var noRoomMessage: String {
        "There are \(count) devices already, which is the limit. Delete some first."
    }

    /// How many more devices fit without removing one.
    package var room: Int { max(0, capacity - count) }
    package var hasRoom: Bool { room > 0 }

    /// Makes room for a device that a push to an unknown token creates. If the registry is full, this removes the oldest
    /// device that was created in the same way and may be removed, and returns it. Devices that a client created stay.
    package mutating func makeRoom(keeping isKept: (Int) -> Bool) -> (hasRoom: Bool, removed: Device?) {
        if hasRoom { return (true, nil) }
        for _ in 0..<implicitDevices.count {
            let device = implicitDevices.removeFirst()
            guard let place = place(of: device) else { continue }
            if !isKept(place) { return (true, remove(place)) }
            implicitDevices.append(device)
        }
        return (false, nil)
    }

    /// Removes a device. Its place may be given to another device from now on.
    package mutating func remove(_ place: Int) -> Device {
        let gone = devices[place]
        unsubscribeAll(place)
        byID[gone.id] = nil
        if let token = gone.apnsToken { byAPNsToken[token] = nil }
        for token in gone.activityTokens { byActivityToken[token.token] = nil }
        // The installation id may belong to another device by now.
        for name in [gone.fcmToken, gone.fid] where byFCMToken[name] == place { byFCMToken[name] = nil }
        for push in gone.waiting { waitingBytes -= push.size }
        shadeBytes -= gone.phone.shade.size
        retired.forget(place)
        devices[place] = Device.vacant
        deviceChanged(place)
        freePlaces.append(place)
        return gone
    }

    /// Whether there is a device at that place.
    package func isTaken(_ place: Int) -> Bool { byID[devices[place].id] == place }

    /// The places of all devices, oldest device first.
    package var oldestFirst: [Int] {
        // No closures over this non-copyable value: the optimizer of Swift 6.3 released an array twice there.
        var taken: [(generation: Int, place: Int)] = []
        for place in devices.indices where isTaken(place) { taken.append((devices[place].generation, place)) }
        // Places are in the order of age until one is used again, and sorting a sorted array is fast.
        taken.sort { $0.generation < $1.generation }
        return taken.map(\.place)
    }

    /// All places, whether or not there is a device at them.
    package var places: Range<Int> { devices.indices }

    /// The outcome of a push that arrives now.
    package func outcome(of push: PushTraits, at place: Int, _ now: Timestamp) -> TransitOutcome {
        switch push.provider {
        case .apns where deliversAtOnce[place].apns && push.expires.map { $0 > now } ?? true: .delivered
        case .fcm where deliversAtOnce[place].fcm: .fcmDelivered
        case .apns, .fcm: devices[place].outcome(of: push, at: now)
        }
    }

    /// Counts a push to the device's own token after the app was uninstalled. `UnregisterRule` may depend on the count.
    package mutating func losePush(_ place: Int) { devices[place].lostPushes += 1 }

    mutating func deviceChanged(_ place: Int) {
        let state = devices[place].state
        deliversAtOnce[place] = (
            apns: devices[place].uninstalled == nil && state.online && !state.lowPower && !state.locked
                && state.permission != .denied,
            fcm: !devices[place].isGone && state.online && !state.directBoot && !state.forceStopped && !state.doze
        )
    }

    /// The type of the Live Activity that a token belongs to; nil if the token belongs to none.
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
        let place = freePlaces.popLast() ?? devices.count
        if place == devices.count {
            devices.append(device)
            deliversAtOnce.append((false, false))
        } else {
            devices[place] = device
        }
        generation += 1
        devices[place].generation = generation
        if device.isImplicit { noteImplicit(place) }
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

    private mutating func noteImplicit(_ place: Int) {
        // Removed devices do not add up: half of the entries are of devices that exist.
        if implicitDevices.count > 2 * count + 1000 {
            var alive: ArraySlice<DeviceRef> = []
            for device in implicitDevices where self.place(of: device) != nil { alive.append(device) }
            implicitDevices = alive
        }
        implicitDevices.append(reference(to: place))
    }

    private mutating func makeID() -> DeviceID {
        repeat { lastIDNumber += 1 } while byID[DeviceID("d\(lastIDNumber)")] != nil
        return DeviceID("d\(lastIDNumber)")
    }
}
