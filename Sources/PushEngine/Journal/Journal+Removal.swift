internal import PushCore

/// Removing deleted pushes in portions. As soon as the removal has begun, no search finds the pushes.
extension Journal {
    struct Removal {
        let pushes: Set<PushID>
        var step = Step.rows
        /// The rows that stay, among the first `next` ones.
        var staying: [Row] = []
        var next = 0
        /// For each device, how many of the pushes have reached it.
        var counts: [DeviceID: Int] = [:]
        /// The devices that are left to update.
        var devices: [DeviceID] = []
    }

    /// What a removal does next. `removed` is the number of removed rows.
    enum Step {
        case rows
        case devices(removed: Int)
    }

    /// Whether a push is being removed.
    func isDeleted(_ push: PushID) -> Bool { removal?.pushes.contains(push) ?? false }

    /// Begins a removal. There must be no other one.
    mutating func beginRemoval(of pushes: Set<PushID>) {
        precondition(removal == nil, "another removal is still in progress")
        var begun = Removal(pushes: pushes)
        // As much as `init` has reserved.
        begun.staying.reserveCapacity(rows.capacity)
        removal = begun
        begunRemovals += 1
    }

    /// Continues the removal by about `count` rows or devices. Returns how many rows were removed once it is complete,
    /// and nil until then.
    mutating func continueRemoval(atMost count: Int) -> Int? {
        guard var current = removal else { return 0 }
        // Moved out while it is changed, so that its arrays are not copied.
        removal = nil
        switch current.step {
        case .rows: removeRows(&current, atMost: count)
        case .devices(let removed):
            updateDevices(&current, atMost: count)
            if current.devices.isEmpty { return removed }
        }
        removal = current
        return nil
    }

    private mutating func removeRows(_ current: inout Removal, atMost count: Int) {
        let end = min(rows.count, current.next + count)
        for row in rows[current.next..<end] {
            guard current.pushes.contains(row.push) else {
                current.staying.append(row)
                continue
            }
            for device in forgetDevices(of: row.push) {
                if current.counts.updateValue(1 + (current.counts[device] ?? 0), forKey: device) == nil {
                    current.devices.append(device)
                }
            }
        }
        current.next = end
        guard end == rows.count else { return }
        current.step = .devices(removed: end - current.staying.count)
        replaceRows(with: current.staying)
    }

    private mutating func updateDevices(_ current: inout Removal, atMost count: Int) {
        for _ in 0..<count {
            guard let device = current.devices.popLast() else { return }
            forget(current.counts[device] ?? 0, of: device) { current.pushes.contains($0) }
        }
    }
}
