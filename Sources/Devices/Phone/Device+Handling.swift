package import PushCore

/// The state machine of a device: inputs go in, effects come out. It reads no clock and fetches nothing.
extension Device {
    package mutating func handle(_ input: DeviceInput, at now: Timestamp) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        switch input {
        case .push(let arrival):
            receive(arrival, at: now, &effects)
            explainSilence(of: arrival, &effects)
        case .fetched(let push, let result): mediaArrived(push, result, at: now, &effects)
        case .timer:
            finishJobs(at: now, &effects)
            releaseHeld(at: now, &effects)
            updateActivities(at: now, &effects)
        case .act(let act): perform(act, at: now, &effects)
        case .clearAll: for entry in phone.shade.entries { perform(.dismiss(entry.key), at: now, &effects) }
        case .launch:
            bringToForeground(why: .launched, push: nil, &effects)
            releaseHeld(at: now, &effects)
        case .forceQuit: endApp(&effects)
        case .appChanged(let before):
            appChanged(from: before, &effects)
            if state.app == .forceQuit { dropHeld(why: .iosHeldDropped, &effects) }
            if state.app == .foreground { releaseHeld(at: now, &effects) }
        case .extensionResult(let push, let result): extensionAnswered(push, result, at: now, &effects)
        }
        return effects
    }

    private mutating func receive(_ arrival: Arrival, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        if let kind = arrival.kind { return receive(arrival.push, for: kind, &effects) }
        switch arrival.content {
        case .apple(let content): receive(arrival, content, at: now, &effects)
        case .android(let content): receive(arrival, content, at: now, &effects)
        case .web(let content): receive(arrival, content, at: now, &effects)
        }
    }

    /// What `post` needs to know about a notification besides its content.
    struct NewNotification {
        let overrides: ShownNotification.Overrides?
        let surfaces: ShownNotification.Surfaces
        let why: PhoneRule
        /// The rule for a notification that this one replaces.
        let replacing: PhoneRule
    }

    /// Puts a notification into the shade. It replaces a notification with the same key.
    mutating func post(
        _ arrival: Arrival, _ posting: NewNotification, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        // Skip numbers whose key a sender has used as a collapse id or tag.
        repeat {
            phone.shownCount &+= 1
        } while phone.shade.hasSenderKeys
            && phone.shade.isSenderKey(ShownNotification.key(phone.shownCount))
        let shown = ShownNotification(
            content: arrival.content, overrides: posting.overrides, number: phone.shownCount,
            surfaces: posting.surfaces)
        if let old = phone.shade.add(ShadeEntry(push: arrival.push, time: now, shown: shown)) {
            emit(
                .replaced, old.push, posting.replacing,
                [("key", .string(shown.key)), ("by", .string(arrival.push.description))], &effects)
        }
        effects.append(.event(.presented, push: arrival.push, why: posting.why, .object(shown)))
    }

    /// Reports that one of the app's methods was called.
    func emitCallback(
        _ name: String, _ push: PushID?, why: PhoneRule, _ effects: inout [DeviceEffect],
        _ fields: [(String, JSONScalar)] = []
    ) {
        effects.append(.event(.callback, push: push, why: why, .fields([("name", .string(name))] + fields)))
    }

    /// Brings the app to the foreground. This unlocks the phone and ends a force stop.
    mutating func bringToForeground(why: PhoneRule, push: PushID?, _ effects: inout [DeviceEffect]) {
        let before = state.app
        state.app = .foreground
        state.locked = false
        state.forceStopped = false
        effects.append(
            .event(.state, push: push, why: why, .fields([("app", .string("foreground")), ("locked", .bool(false))])))
        if why == .launched { appChanged(from: before, &effects) }
    }

    private mutating func endApp(_ effects: inout [DeviceEffect]) {
        state.app = .forceQuit
        dropHeld(why: .iosHeldDropped, &effects)
        effects.append(.event(.state, push: nil, why: .forceQuit, .fields([("app", .string("forceQuit"))])))
    }
}
