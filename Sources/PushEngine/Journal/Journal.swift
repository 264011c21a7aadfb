internal import HTTPCore
package import PushCore

/// An index of the pushes in the event log.
///
/// Each push is a row of numbers, so that a search does not have to read the pushes themselves. The journal follows the
/// log: it catches up when it is queried, and while the gateway is idle.
package struct Journal {
    package struct Row {
        package let seq: UInt64
        let push: PushID
        let isAccepted: Bool
        // Hashes of the values that filters use most.
        let app: Int
        let project: Int
        let token: Int
        let topic: Int
        let request: RequestHandle
        /// The body contains a backslash, so its strings may differ from its bytes.
        let hasEscapes: Bool
    }

    /// Oldest first.
    package private(set) var rows: [Row] = []
    /// Changes when rows are removed. Until then, each row keeps its index.
    private(set) var removals: UInt64 = 0
    private var devices: [PushID: ReachedDevices] = [:]
    /// The pushes of each device, oldest first.
    private var pushes: [DeviceID: [PushID]] = [:]
    /// The number of the last event that was read.
    private(set) var position: UInt64 = 0
    /// The deleted pushes, while they are being removed.
    var removal: Removal?
    /// How many removals have begun. As soon as a removal has begun, its pushes are no longer found.
    var begunRemovals: UInt64 = 0

    /// Reserves memory for this many pushes, but not for more than `reserved`, so that nothing large is moved while the
    /// journal grows.
    init(capacity: Int) {
        let count = min(capacity, Self.reserved)
        rows.reserveCapacity(count)
        devices.reserveCapacity(count)
    }

    private static let reserved = 1 << 17

    /// The devices of one push, in the order in which they were added.
    private struct ReachedDevices {
        private(set) var list: [DeviceID] = []
        /// The same devices as a set, used from `few` devices on.
        private var members: Set<DeviceID> = []
        private static let few = 8

        /// Adds a device. False if it was already added.
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

    /// Reads the next events of the log, at most `count`.
    mutating func follow(_ log: borrowing EventLog, atMost count: Int = .max) {
        var left = count
        while position < log.newest, left > 0 {
            left -= 1
            guard let event = log.event(after: position) else {
                position = log.newest
                break
            }
            position = event.seq
            read(event, log)
        }
        removeForgotten(log)
    }

    /// The devices that a push was addressed to or has reached.
    func devices(of push: PushID) -> [DeviceID] { devices[push]?.list ?? [] }

    func pushes(to device: DeviceID) -> [PushID] { pushes[device] ?? [] }

    /// The row of a push; nil if it was deleted or forgotten.
    package func row(of push: PushID) -> Row? {
        // Push numbers increase along the log, with gaps.
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].push.number < push.number { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].push == push && !isDeleted(push) ? rows[low] : nil
    }

    /// The number of rows whose events have a lower number than `seq`.
    func count(before seq: UInt64) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Replaces the rows by the rows that stay after a removal.
    mutating func replaceRows(with staying: [Row]) {
        rows = staying
        removals += 1
    }

    /// Forgets the devices of a push, and returns them.
    mutating func forgetDevices(of push: PushID) -> [DeviceID] { devices.removeValue(forKey: push)?.list ?? [] }

    /// Forgets the pushes of a device that match, of which there are `count`.
    mutating func forget(_ count: Int, of device: DeviceID, where isRemoved: (PushID) -> Bool) {
        if pushes[device]?.count == count { pushes[device] = nil } else { pushes[device]?.removeAll(where: isRemoved) }
    }

    private mutating func forgetDevices(of removed: some Sequence<PushID>, where isRemoved: (PushID) -> Bool) {
        var affected: Set<DeviceID> = []
        for push in removed { if let reached = devices.removeValue(forKey: push) { affected.formUnion(reached.list) } }
        for device in affected {
            pushes[device]?.removeAll(where: isRemoved)
            if pushes[device]?.isEmpty == true { pushes[device] = nil }
        }
    }

    private mutating func read(_ event: Event, _ log: borrowing EventLog) {
        guard let push = event.push else { return }
        if case .push(let record) = event.detail, let request = log.request(at: record.request) {
            let facts = MessageFacts(request, record.provider)
            let backslash = UInt8(ascii: "\\")
            rows.append(
                Row(
                    seq: event.seq, push: push, isAccepted: event.kind == .accepted, app: event.app.hashValue,
                    project: ((record.provider == .webpush ? event.app.hostOfOrigin : facts.project) ?? "").hashValue,
                    token: (facts.target?.token ?? "").hashValue, topic: (facts.topic ?? "").hashValue,
                    request: record.request, hasEscapes: request.body.span.contains(backslash, or: backslash)))
        }
        guard let device = event.device, Self.kindsThatNameDevices.contains(event.kind),
            devices[push, default: ReachedDevices()].insert(device)
        else { return }
        pushes[device, default: []].append(push)
    }

    static let kindsThatNameDevices: Set<Event.Kind> = [.accepted, .stored, .delivered, .dropped]

    /// Removes the rows whose pushes the log has forgotten. It forgets accepted pushes oldest first, and refused pushes
    /// oldest first. Each has its own limit, so a newer refused push can be forgotten before an older accepted one.
    private mutating func removeForgotten(_ log: borrowing EventLog) {
        // A removal depends on the places of the rows.
        guard removal == nil else { return }
        // Removes many rows at once, because each removal moves all later rows.
        guard rows.count - log.pushCount >= max(64, rows.count / 8) else { return }
        let (accepted, refused) = (log.forgottenUpTo(in: .main), log.forgottenUpTo(in: .refused))
        var gone: [PushID] = []
        rows.removeAll { row in
            guard row.seq <= (row.isAccepted ? accepted : refused) else { return false }
            if row.isAccepted { gone.append(row.push) }
            return true
        }
        // Refused pushes have no devices.
        if let last = gone.last?.number { forgetDevices(of: gone) { $0.number <= last } }
        removals += 1
    }
}
