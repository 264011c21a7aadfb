internal import APNs
package import Devices
internal import FCM
package import JSON
package import PushCore
internal import Receivers

/// Creating, changing and deleting devices.
extension PushEngine {
    /// Makes room for a device that a push creates. False if the limit of devices is reached, and all of them have
    /// viewers or were created by clients.
    mutating func makeRoomForImplicitDevice(at now: Timestamp) -> Bool {
        let (hasRoom, removed) = devices.makeRoom { !watches[$0].viewers.isEmpty }
        if let removed { noteRemoval(removed, DropRule.deviceForgotten, at: now) }
        return hasRoom
    }

    /// Deletes a device for the control API, and dismisses its viewers.
    package mutating func deleteDevice(_ slot: Int, at now: Timestamp) {
        if let receiver = devices[slot].receiver, subscribers[receiver.token] != nil {
            // Senders to an FCM token are told that it is gone, so its device stays, without the app.
            let stays = !devices[slot].fid.isEmpty
            // This removes the device, after it has noted what becomes of its waiting pushes.
            realReceivers.end(receiver.token)
            applyReceiverNews(at: now)
            guard subscribers.removeValue(forKey: receiver.token) != nil, !stays else { return }
        }
        removeDevice(slot, .deviceDeleted, at: now)
    }

    mutating func removeDevice(_ slot: Int, _ why: DropRule, at now: Timestamp) {
        notifier.dismiss(watches[slot].viewers)
        watches[slot] = Watch()
        noteRemoval(devices.remove(slot), why, at: now)
    }

    private mutating func noteRemoval(_ forgotten: Device, _ why: DropRule, at now: Timestamp) {
        unsubscribe(forgotten.subscription)
        for channel in forgotten.channels {
            channels.unsubscribe(channel, of: forgotten.app, in: forgotten.environment, forgotten.id)
        }
        for push in forgotten.waitingPushes {
            events.append(
                .dropped, at: now,
                about: Event.Subject(app: forgotten.app, device: forgotten.id, push: push.id), why: why.rule)
        }
        events.append(
            .unregistered, at: now, about: Event.Subject(app: forgotten.app, device: forgotten.id), why: why.rule)
    }

    /// Records that a device was created. Its slot may have belonged to a deleted device before.
    mutating func noteCreation(of slot: Int, at now: Timestamp) {
        quotas?.forget(slot)
        watches[slot].inbox = Inbox()
        append(DeviceEvent(.registered), slot, at: now)
    }

    /// Creates the device that a client asks for. Nil if the limit of devices is reached, or if the spec lacks the
    /// platform or the app.
    package mutating func makeDevice(_ spec: DeviceSpec, at now: Timestamp) -> Int? {
        let environment = dialects.apns.policy.environment
        guard devices.hasRoom, let slot = devices.make(spec, in: environment, at: now, using: &random) else {
            return nil
        }
        subscribe(slot, spec.subscription)
        noteCreation(of: slot, at: now)
        endForbiddenSubscription(slot, at: now)
        return slot
    }

    /// Removes the app from a device.
    package mutating func uninstall(_ slot: Int, at now: Timestamp) {
        devices.uninstall(slot)
        append(DeviceEvent(.unregistered), slot, at: now)
        let shown = devices.clearShade(slot)
        if shown > 0 { append(DeviceEvent(.removed), detail: .fields([("count", .int(Int64(shown)))]), slot, at: now) }
        release(slot, at: now)
    }

    /// Installs the app again, with new tokens.
    package mutating func install(_ slot: Int, at now: Timestamp) throws(DeviceProblem) {
        guard devices[slot].isAppRemoved else {
            throw DeviceProblem(pointer: "/type", message: "The app is already on the device.")
        }
        // Waiting pushes were for the removed app.
        for push in devices.dropWaiting(slot) {
            append(
                DeviceEvent(.dropped, push: push.id, why: TransitOutcome.discardedUnregisteredFromStorage.rule), slot,
                at: now)
        }
        renewEndpoint(slot)
        let changes = devices.install(slot, at: now, using: &random)
        append(DeviceEvent(.registered), slot, at: now)
        for change in changes { noteTokenChange(change, cause: "install", slot, at: now) }
        release(slot, at: now)
    }

    /// Drops the waiting pushes of a device and clears its shade. Its state stays.
    package mutating func discardNotifications(_ slot: Int, at now: Timestamp) {
        for push in devices.dropWaiting(slot) {
            append(DeviceEvent(.dropped, push: push.id, why: DropRule.reset.rule), slot, at: now)
        }
        let shown = devices.clearShade(slot)
        if shown > 0 {
            append(
                DeviceEvent(.removed, why: DropRule.reset.rule), detail: .fields([("count", .int(Int64(shown)))]),
                slot, at: now)
        }
    }

    /// Changes the state of a device, and records the new values of the patched members.
    package mutating func patchState(_ slot: Int, _ json: JSONView, under pointer: String = "/set", at now: Timestamp)
        throws(DeviceProblem)
    {
        let before = devices[slot].state
        try devices.patchState(slot, json, at: pointer, now)
        // Written again without the client's whitespace, because the log's byte limit does not count this text.
        var applied = JSONWriter()
        devices[slot].state.write(to: &applied, of: json)
        append(DeviceEvent(.state), detail: .data(applied.finish()), slot, at: now)
        renewSubscription(slot, permissionBefore: before.permission, at: now)
        simulate(.appChanged(from: before.app), slot, at: now)
        release(slot, at: now)
    }

    /// A socket starts to watch a device.
    package mutating func join(_ slot: Int, _ viewer: Viewer, at now: Timestamp) {
        watches[slot].viewers.append(viewer)
        if viewer.isOfflineWhenDisconnected { setOnline(slot, true, at: now) }
    }

    /// Changes the frames that a viewer gets.
    package mutating func setRequestedFrames(_ wants: RequestedFrames, of connection: ClientID, _ slot: Int) {
        guard let index = watches[slot].viewers.firstIndex(where: { $0.connection == connection }) else { return }
        watches[slot].viewers[index].wants = wants
    }

    /// A socket stops watching a device.
    package mutating func leave(_ slot: Int, _ connection: ClientID, at now: Timestamp) {
        guard let index = watches[slot].viewers.firstIndex(where: { $0.connection == connection }) else { return }
        let left = watches[slot].viewers.remove(at: index)
        if left.isOfflineWhenDisconnected, !watches[slot].viewers.contains(where: \.isOfflineWhenDisconnected) {
            setOnline(slot, false, at: now)
        }
    }

    mutating func setOnline(_ slot: Int, _ isOnline: Bool, at now: Timestamp) {
        guard devices[slot].state.online != isOnline else { return }
        devices.setOnline(slot, isOnline, at: now)
        append(DeviceEvent(.state), detail: .data(Array(#"{"online":\#(isOnline)}"#.utf8)), slot, at: now)
        release(slot, at: now)
    }

    /// Subscribes a device to a broadcast channel, or unsubscribes it. Returns the reason if that is not possible, and
    /// nil on success.
    package mutating func subscribe(_ channel: String, _ isWanted: Bool, _ slot: Int, at now: Timestamp) -> String? {
        let (app, environment, id) = (devices[slot].app, devices[slot].environment, devices.id(at: slot))
        if isWanted {
            guard devices[slot].platform == .ios, devices[slot].unregisteredSince == nil, !devices[slot].isAppRemoved
            else {
                return "Only an iOS device with the app installed can subscribe to broadcast channels."
            }
            guard channels.channel(channel, of: app, in: environment)?.isDeleted == false else {
                return "\(app) has no channel '\(channel)'. Create it with POST /1/apps/\(app)/channels."
            }
            if devices[slot].channels.contains(channel) { return "The device is already subscribed to '\(channel)'." }
            for old in devices[slot].channels where channels.channel(old, of: app, in: environment)?.isDeleted != false
            {
                _ = devices.unsubscribe(fromChannel: old, slot)
            }
            guard devices.subscribe(toChannel: channel, slot) else {
                return "The device is subscribed to \(DeviceRegistry.channelLimit) channels, which is the limit."
            }
            _ = channels.subscribe(channel, of: app, in: environment, id)
        } else {
            guard devices.unsubscribe(fromChannel: channel, slot) else {
                return "The device is not subscribed to '\(channel)'."
            }
            channels.unsubscribe(channel, of: app, in: environment, id)
        }
        append(DeviceEvent(isWanted ? .subscribed : .unsubscribed), detail: .channel(channel), slot, at: now)
        return nil
    }
}
