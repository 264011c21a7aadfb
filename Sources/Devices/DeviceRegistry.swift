package import PushCore

/// All devices, with lookup by id and by token. A device keeps its slot (its index) until it is removed; then another
/// device may get the slot.
///
/// The registry can't be copied, because there is only one, and a copy would be slow.
package struct DeviceRegistry: ~Copyable, Sendable {
    private let capacity: Int
    var devices: [Device] = []
    /// All devices, oldest first. Some may have been removed.
    var order: [DeviceRef] = []
    /// The devices that were created by pushes to unknown tokens, oldest first. Some may have been removed.
    var implicitDevices: ArraySlice<DeviceRef> = []
    var byID = GrowingMap<DeviceID, Int>()
    var byAPNsToken = GrowingMap<DeviceToken, Int>()
    /// The owners of Live Activity tokens. Without a type, the token starts activities of any type.
    var byActivityToken = GrowingMap<DeviceToken, (slot: Int, type: String?)>()
    /// The owners of the tokens of the kinds in `TokenKind`.
    var byOtherToken = GrowingMap<DeviceToken, (slot: Int, kind: TokenKind)>()
    /// Slots by registration token and by installation id.
    var byFCMToken = GrowingMap<String, Int>()
    var retired = RetiredTokens()
    /// For each slot, whether pushes of a service reach the device at once. This is true for nearly all devices. If it
    /// is, the device itself does not have to be read.
    var deliversAtOnce: [(apns: Bool, fcm: Bool)] = []
    package internal(set) var topics = TopicIndex()
    /// Whether to discard an APNs push that had expired before it was sent, even if its device is reachable.
    private let discardsExpired: Bool
    /// How many devices were ever created.
    package private(set) var generation = 0
    /// The number in the last generated id.
    var lastIDNumber = 0
    /// The slots of removed devices. The lowest is used first, so that the end of `devices` becomes free.
    var freeSlots = SortedKeys<Int>()
    /// The memory of all waiting pushes in bytes.
    package internal(set) var waitingBytes = 0
    /// The memory of all shades in bytes.
    var shadeBytes = 0

    package init(capacity: Int, discardsExpired: Bool = false) {
        self.capacity = capacity
        self.discardsExpired = discardsExpired
    }

    package var count: Int { byID.total }

    package subscript(slot: Int) -> Device { devices[slot] }

    /// Returns the id without copying the whole device.
    package func id(at slot: Int) -> DeviceID { devices[slot].id }

    package func app(at slot: Int) -> String { devices[slot].app }

    package func platform(at slot: Int) -> Device.Platform { devices[slot].platform }

    package func fid(at slot: Int) -> String { devices[slot].fid }

    package func environment(at slot: Int) -> PushEnvironment { devices[slot].environment }

    /// Whether the device is of this app or project. Nil means any.
    package func belongs(_ slot: Int, to app: String?) -> Bool {
        app == nil || devices[slot].app == app || devices[slot].project == app
    }

    /// Whether a push to an unknown token created the device.
    package func isImplicit(at slot: Int) -> Bool { devices[slot].isImplicit }

    package func slot(of id: DeviceID) -> Int? { byID[id] }

    /// The error for a client that asks for a device when there is no room.
    package var limitMessage: String {
        "There are \(count) devices already, which is the limit. Delete some first."
    }

    /// How many more devices fit without removing one.
    package var room: Int { max(0, capacity - count) }
    package var hasRoom: Bool { room > 0 }

    /// Makes room for a device that a push to an unknown token creates. If the registry is full, this removes the
    /// oldest device that was created in the same way and may be removed, and returns it. Devices that a client created
    /// stay.
    package mutating func makeRoom(keeping isKept: (Int) -> Bool) -> (hasRoom: Bool, removed: Device?) {
        if hasRoom { return (true, nil) }
        for _ in 0..<implicitDevices.count {
            let device = implicitDevices.removeFirst()
            guard let slot = slot(of: device) else { continue }
            if !isKept(slot) { return (true, remove(slot)) }
            implicitDevices.append(device)
        }
        return (false, nil)
    }

    /// Removes a device. From now on, its slot may be given to another device.
    package mutating func remove(_ slot: Int) -> Device {
        let gone = devices[slot]
        unsubscribeAll(slot)
        byID[gone.id] = nil
        if let token = gone.apnsToken { byAPNsToken[token] = nil }
        for token in gone.activityTokens { byActivityToken[token.token] = nil }
        for token in gone.otherTokens.values { byOtherToken[token] = nil }
        // The installation id may belong to another device by now.
        for name in [gone.fcmToken, gone.fid] where byFCMToken[name] == slot { byFCMToken[name] = nil }
        for push in gone.waitingPushes { waitingBytes -= push.size }
        shadeBytes -= gone.phone.shade.size
        devices[slot] = Device.vacant
        deviceChanged(slot)
        freeSlots.insert(slot)
        return gone
    }

    /// All slots, whether or not there is a device at them.
    package var slots: Range<Int> { devices.indices }

    /// The outcome of a push that arrives now. A reachable device gets an APNs push that had expired before it was sent
    /// (assumed), unless `discardsExpired` is set. It never gets an APNs push that expired on the way.
    package func outcome(of push: PushTraits, at slot: Int, _ now: Timestamp) -> TransitOutcome {
        let outcome: TransitOutcome =
            switch push.provider {
            case .apns where deliversAtOnce[slot].apns: .delivered
            case .fcm where deliversAtOnce[slot].fcm: .fcmDelivered
            case .apns, .fcm, .webpush: devices[slot].outcome(of: push, at: now)
            }
        guard outcome == .delivered, let expires = push.expires, expires <= now else { return outcome }
        return expires > push.sent || discardsExpired ? .discardedExpired : outcome
    }

    /// Counts a push to the device's own token after the app was uninstalled. `UnregisterRule` may depend on the count.
    package mutating func countLostPush(_ slot: Int) { devices[slot].lostPushes += 1 }

    mutating func deviceChanged(_ slot: Int) {
        let (state, platform) = (devices[slot].state, devices[slot].platform)
        // `Device.isClosedBrowser` is not used, because reading it copies the device, which costs 1,400 instructions
        // for each push.
        let isClosedBrowser = platform == .web && state.isAppEnded
        deliversAtOnce[slot] = (
            apns: devices[slot].unregisteredSince == nil && state.online && !state.lowPower && !state.locked
                && state.permission != .denied,
            fcm: !devices[slot].isAppRemoved && !isClosedBrowser && state.online && !state.directBoot
                && !state.forceStopped && !state.doze
        )
    }

    /// Up to this number of slots, memory is not reserved in advance, and it is not given back.
    static let few = 4096
    private static let reserved = 1 << 17

    mutating func insert(_ device: Device) -> Int {
        let slot = freeSlots.popFirst() ?? devices.count
        if slot == devices.count {
            // From here on, the array is not moved while it grows. The system gives memory only to used entries.
            if slot == Self.few { devices.reserveCapacity(min(capacity, Self.reserved)) }
            devices.append(device)
            deliversAtOnce.append((false, false))
        } else {
            devices[slot] = device
        }
        generation += 1
        devices[slot].generation = generation
        if device.isImplicit { noteImplicit(slot) }
        deviceChanged(slot)
        byID[device.id] = slot
        appendToOrder(slot)
        if let token = device.apnsToken { byAPNsToken[token] = slot }
        for (type, token) in device.activityTokens { byActivityToken[token] = (slot, type) }
        for (kind, token) in device.otherTokens { byOtherToken[token] = (slot, kind) }
        if !device.fcmToken.isEmpty {
            byFCMToken[device.fcmToken] = slot
            byFCMToken[device.fid] = slot
        }
        return slot
    }

    private mutating func noteImplicit(_ slot: Int) {
        // Entries of removed devices are dropped when they may be more than half of the list.
        if implicitDevices.count > 2 * count + 1000 { dropRemovedImplicitDevices() }
        implicitDevices.append(reference(to: slot))
    }

    mutating func dropRemovedImplicitDevices() {
        var alive: ArraySlice<DeviceRef> = []
        for device in implicitDevices where slot(of: device) != nil { alive.append(device) }
        implicitDevices = alive
    }
}
