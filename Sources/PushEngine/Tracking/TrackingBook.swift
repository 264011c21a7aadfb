internal import Devices
package import PushCore

/// What apps reported to Adobe Campaign, by a direct call or over HTTP, joined to the pushes it is about.
package struct TrackingBook {
    package struct Hit {
        package let time: Timestamp
        /// `7` impression, `2` click, `1` opening; else a link's id.
        package let action: String
        package let broadlog: String
        package let delivery: String
        package let ecid: String
        package var push: PushID?
        package var flags: [Flag] = []
    }

    package enum Flag: String { case duplicate, unknownId, openWithoutClick, link, noId }

    /// A push with ids in it, and what is known of its reports.
    package struct Tracked {
        package let push: PushID
        var key: Key?
        /// What a device's own app has reported, or will have.
        package var expected: [String] = []
        package var reported: [String] = []
        /// Why nothing is to come of it; nil: something may.
        package var why: String?
    }

    package struct Key: Hashable {
        let broadlog: String
        let delivery: String
    }

    package private(set) var hits: [Hit] = []
    /// By their ids, the newest push with each.
    private var byKey: [Key: PushID] = [:]
    private(set) var tracked: [PushID: Tracked] = [:]
    private var order: [PushID] = []

    /// Hits that were ever taken, and the pushes that have changed since somebody kept them.
    package var total = 0
    package var unsaved: Set<PushID> = []

    static let capacity = 10_000
    static let actions = ["1", "2", "3", "4", "5", "7"]

    package var pushes: [Tracked] { order.compactMap { tracked[$0] } }

    /// A push has reached a device whose app tracks.
    mutating func arrived(_ push: PushID, _ key: Key?, why: String?) {
        if let key { byKey[key] = push }
        if tracked[push] == nil {
            order.append(push)
            if order.count > Self.capacity { forgetOldest() }
        }
        tracked[push, default: Tracked(push: push)].why = why
        if let key { tracked[push]?.key = key }
        unsaved.insert(push)
    }

    /// Takes a hit, and says what is odd about it.
    mutating func take(_ hit: TrackingHit, isOwn: Bool, at now: Timestamp) -> Hit {
        let key = Key(broadlog: hit.broadlog, delivery: hit.delivery)
        var kept = Hit(
            time: now, action: hit.action, broadlog: hit.broadlog, delivery: hit.delivery, ecid: hit.ecid,
            push: hit.push ?? byKey[key])
        let same = hits.filter { $0.broadlog == hit.broadlog && $0.delivery == hit.delivery && $0.ecid == hit.ecid }
        if hit.broadlog.isEmpty || hit.delivery.isEmpty {
            kept.flags.append(.noId)
        } else if kept.push == nil {
            kept.flags.append(.unknownId)
        }
        if !Self.actions.contains(hit.action) { kept.flags.append(.link) }
        if same.contains(where: { $0.action == hit.action }) { kept.flags.append(.duplicate) }
        if hit.action == "1", !same.contains(where: { $0.action == "2" }) { kept.flags.append(.openWithoutClick) }
        if let push = kept.push {
            tracked[push]?.reported.append(hit.action)
            if isOwn { tracked[push]?.expected.append(hit.action) }
            unsaved.insert(push)
        }
        hits.append(kept)
        total += 1
        if hits.count > Self.capacity { hits.removeFirst(Self.capacity / 10) }
        return kept
    }

    /// What was kept of it comes back.
    mutating func restore(_ push: Tracked) {
        if tracked[push.push] == nil { order.append(push.push) }
        tracked[push.push] = push
        if let key = push.key { byKey[key] = push.push }
    }

    mutating func restore(_ hit: Hit) { hits.append(hit) }

    /// Numbers go on: those of hits name what is kept of them.
    mutating func forgetAll() {
        let before = total
        self = TrackingBook()
        total = before
    }

    mutating func forget(where isGone: (PushID) -> Bool) {
        hits.removeAll { $0.push.map(isGone) ?? false }
        order.removeAll(where: isGone)
        tracked = tracked.filter { !isGone($0.key) }
        byKey = byKey.filter { tracked[$0.value] != nil }
    }

    private mutating func forgetOldest() {
        let gone = order.prefix(Self.capacity / 10)
        for push in gone {
            tracked[push] = nil
            unsaved.insert(push)
        }
        order.removeFirst(gone.count)
        byKey = byKey.filter { tracked[$0.value] != nil }
    }
}
