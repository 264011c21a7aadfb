package import Devices
internal import FCM
package import PushCore

/// Those who watch devices, and what they are told.
extension PushEngine {
    /// A socket that watches a device.
    package struct Viewer {
        package let connection: ClientID
        package var wants: Wants
        /// The device is offline without it.
        let isPhone: Bool
        /// It says itself what it has received.
        package var isManual = false

        package init(connection: ClientID, wants: Wants, isPhone: Bool, isManual: Bool = false) {
            self.connection = connection
            self.wants = wants
            self.isPhone = isPhone
            self.isManual = isManual
        }
    }

    /// What a socket asked to be told.
    package struct Wants: OptionSet {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let push = Wants(rawValue: 1)
        package static let event = Wants(rawValue: 2)
        /// The body as it was sent, within the push.
        package static let raw = Wants(rawValue: 4)
    }

    /// Who watches a device, and what its clients have received.
    package struct Watch {
        package var viewers: [Viewer] = []
        package var inbox = Inbox()
    }

    /// What has come to a device, with what is to be known of the device.
    package struct Inbound {
        package let id: PushID
        package let delivery: Delivery
        package let platform: Device.Platform
        package let fid: String
        package let addsMutableContent: Bool
        /// How often it has been written to a socket of the device.
        package var attempt = 1
    }

    /// Reports an event to everybody who watches the device, with the push that came with it.
    mutating func notifyViewers(_ event: Event, _ delivery: Delivery?, to viewers: [Viewer], _ place: Int) {
        var arrival: Inbound?
        if let delivery, viewers.contains(where: { $0.wants.contains(.push) }) {
            var push = inbound(event.push ?? PushID(0), delivery, place)
            // Counted whether or not the socket is still open: a push that is not acknowledged comes again.
            push.attempt = noteSent(push.id, event.seq, place, isManual: viewers.contains(where: \.isManual))
            arrival = push
        }
        notifier.notify(viewers, of: event, arrival)
    }

    func inbound(_ push: PushID, _ delivery: Delivery, _ place: Int) -> Inbound {
        Inbound(
            id: push, delivery: delivery, platform: devices.platform(at: place), fid: devices.fid(at: place),
            addsMutableContent: fcm.policy.choices.contains(.mutableContent))
    }
}
