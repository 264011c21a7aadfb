package import PushCore

/// The pushes that the log keeps, each a row of numbers: a hundred thousand are looked through in a millisecond.
///
/// A reader of the log: it catches up when it is asked, and while nothing else is to be done.
package struct Journal {
    package struct Row {
        package let seq: UInt64
        let push: PushID
        let isAccepted: Bool
        /// Hashes of what lists are asked for most.
        let app: Int
        let project: Int
        let token: Int
        let topic: Int
    }

    /// The oldest first.
    package private(set) var rows: [Row] = []
    private var devices: [PushID: Reach] = [:]
    /// The other way round, the oldest first.
    private var pushes: [DeviceID: [PushID]] = [:]
    /// Up to here the log has been read.
    private(set) var position: UInt64 = 0

    /// The devices that one push was for, in their order.
    private struct Reach {
        private(set) var list: [DeviceID] = []
        /// The same, for pushes to many devices.
        private var members: Set<DeviceID> = []
        private static let few = 8

        /// False if the device is known already.
        mutating func insert(_ device: DeviceID) -> Bool {
            if list.count < Self.few {
                if list.contains(device) { return false }
            } else {
                if members.isEmpty { members = Set(list) }
                guard members.insert(device).inserted else { return false }
            }
            list.append(device)
            return true
        }
    }

    /// Reads on in the log, so many events at most.
    mutating func follow(_ log: borrowing EventLog, atMost count: Int = .max) {
        position = max(position, log.newest - UInt64(log.count))
        let end = count < log.newest - position ? position + UInt64(count) : log.newest
        while position < end {
            position += 1
            if let event = log.event(position) { read(event, log) }
        }
        forget(before: log.newest - UInt64(log.count) + 1)
    }

    /// Where a push was on its way to, or has come.
    func devices(of push: PushID) -> [DeviceID] { devices[push]?.list ?? [] }

    func pushes(to device: DeviceID) -> [PushID] { pushes[device] ?? [] }

    package func row(of push: PushID) -> Row? {
        // Numbers grow with the log, and not every one is a push.
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].push.number < push.number { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].push == push ? rows[low] : nil
    }

    mutating func forget(_ pushes: Set<PushID>) {
        rows.removeAll { pushes.contains($0.push) }
        forgetDevices(of: pushes) { pushes.contains($0) }
    }

    private mutating func forgetDevices(of gone: some Sequence<PushID>, where isGone: (PushID) -> Bool) {
        var touched: Set<DeviceID> = []
        for push in gone { if let reached = devices.removeValue(forKey: push) { touched.formUnion(reached.list) } }
        for device in touched {
            pushes[device]?.removeAll(where: isGone)
            if pushes[device]?.isEmpty == true { pushes[device] = nil }
        }
    }

    private mutating func read(_ event: Event, _ log: borrowing EventLog) {
        guard let push = event.push else { return }
        if case .push(let record) = event.detail, let request = log.request(at: record.request) {
            let facts = MessageFacts(request, record.provider)
            rows.append(
                Row(
                    seq: event.seq, push: push, isAccepted: event.kind == .accepted, app: event.app.hashValue,
                    project: (facts.project ?? "").hashValue,
                    token: (facts.target?.token ?? "").hashValue, topic: (facts.topic ?? "").hashValue))
        }
        guard let device = event.device, Self.reaching.contains(event.kind),
            devices[push, default: Reach()].insert(device)
        else { return }
        pushes[device, default: []].append(push)
    }

    private static let reaching: Set<Event.Kind> = [.accepted, .stored, .delivered, .dropped]

    private mutating func forget(before seq: UInt64) {
        guard let first = rows.first, first.seq < seq else { return }
        let stale = rows.prefix { $0.seq < seq }.count
        // Not a few at a time: what is behind them has to move.
        guard stale >= max(64, rows.count / 8) else { return }
        let last = rows[stale - 1].push.number
        forgetDevices(of: rows.prefix(stale).map(\.push)) { $0.number <= last }
        rows.removeFirst(stale)
    }
}
