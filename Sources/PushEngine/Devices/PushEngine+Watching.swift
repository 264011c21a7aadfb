package import Devices
internal import FCM
package import PushCore

/// The sockets that watch devices, and the frames that they get.
extension PushEngine {
    /// A socket that watches a device.
    package struct Viewer {
        package let connection: ClientID
        package var wants: RequestedFrames
        /// The socket stands for the phone's own connection: the device is online only while such a socket is open.
        let isOfflineWhenDisconnected: Bool
        /// The client acknowledges what it has received.
        package var usesManualAck = false

        package init(
            connection: ClientID, wants: RequestedFrames, isOfflineWhenDisconnected: Bool, usesManualAck: Bool = false
        ) {
            self.connection = connection
            self.wants = wants
            self.isOfflineWhenDisconnected = isOfflineWhenDisconnected
            self.usesManualAck = usesManualAck
        }
    }

    /// The frames that a socket asked for.
    package struct RequestedFrames: OptionSet {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let push = RequestedFrames(rawValue: 1)
        package static let event = RequestedFrames(rawValue: 2)
        /// The original body, as a member of the push.
        package static let raw = RequestedFrames(rawValue: 4)
    }

    /// The viewers of a device, and the pushes that they have not acknowledged.
    package struct Watch {
        package var viewers: [Viewer] = []
        package var inbox = Inbox()
    }

    /// A push that has arrived at a device, with the facts of the device that its frame needs.
    package struct InboundPush {
        package let id: PushID
        package let delivery: Delivery
        package let platform: Device.Platform
        package let fid: String
        package let addsMutableContent: Bool
        /// The `apns-id` of the answer, unless the sender has chosen one.
        package let generatedID: RandomID
        /// The `apns-unique-id` of the answer; nil in production.
        package let uniqueID: RandomID?
        /// The number of the delivery attempt, as `Inbox.noteSent` counts it.
        package var attempt = 1
    }

    /// Reports an event to all viewers of the device, with the push that arrived with it.
    mutating func notifyViewers(_ event: Event, _ delivery: () -> Delivery?, to viewers: [Viewer], _ slot: Int) {
        var arrival: InboundPush?
        if viewers.contains(where: { $0.wants.contains(.push) }), let delivery = delivery() {
            var push = inbound(event.push ?? PushID(0), delivery, slot)
            // Counted even if the socket has closed since: a push without acknowledgment is sent again.
            push.attempt = noteSent(push.id, event.seq, slot, usesManualAck: viewers.contains(where: \.usesManualAck))
            arrival = push
        }
        notifier.notify(viewers, of: event, arrival)
    }

    func inbound(_ push: PushID, _ delivery: Delivery, _ slot: Int) -> InboundPush {
        InboundPush(
            id: push, delivery: delivery, platform: devices.platform(at: slot), fid: devices.fid(at: slot),
            addsMutableContent: dialects.fcm.policy.choices.contains(.mutableContent),
            generatedID: idGenerator.id(of: push),
            uniqueID: devices.environment(at: slot) == .sandbox ? idGenerator.uniqueID(of: push) : nil)
    }
}
