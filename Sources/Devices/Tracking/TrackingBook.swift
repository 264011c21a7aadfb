package import PushCore

/// The tracking hits of simulated apps, and those of real apps that came over HTTP, matched to the pushes that they
/// report.
package struct TrackingBook {
    package struct Hit {
        package let time: Timestamp
        /// `7` impression, `2` click, `1` open, `3` to `5` buttons. Any other value is the id of a link.
        package let action: String
        package let broadlog: String
        package let delivery: String
        package let ecid: String
        package var push: PushID?
        package var flags: [Flag] = []
    }

    package enum Flag: String { case duplicate, unknownId, openWithoutClick, link, noId }

    /// A push for a device with a tracking app, whether or not it has reached the device, and its reports.
    package struct Tracked {
        package let push: PushID
        var key: Key?
        /// The actions that simulated apps have reported. The control API shows them as `expected`.
        package var simulatedActions: [String] = []
        /// The actions of all hits.
        package var reported: [String] = []
        /// Why the app has reported nothing; nil if it has reported, or may still do so.
        package var why: String?
    }

    package struct Key: Hashable {
        package let broadlog: String
        package let delivery: String

        package init(broadlog: String, delivery: String) {
            self.broadlog = broadlog
            self.delivery = delivery
        }
    }

    package private(set) var hits: [Hit] = []
    /// The newest push with each pair of ids.
    private var byKey: [Key: PushID] = [:]
    private(set) var tracked: [PushID: Tracked] = [:]
    private var order: [PushID] = []

    /// The number of hits received so far.
    package var total = 0
    /// The pushes that have changed since they were last saved.
    package var unsaved: Set<PushID> = []

    package init() {}

    package static let capacity = 10_000
    static let actions = ["1", "2", "3", "4", "5", "7"]

    package var pushCount: Int { order.count }
    package var pushes: [Tracked] { pushes(in: order.indices) }

    /// The pushes at these places, oldest first.
    package func pushes(in range: Range<Int>) -> [Tracked] {
        order[range.clamped(to: order.indices)].compactMap { tracked[$0] }
    }

    package func tracked(_ push: PushID) -> Tracked? { tracked[push] }

    package func hits(of push: PushID) -> [Hit] { hits.filter { $0.push == push } }

    /// Records that a push has reached a device with a tracking app.
    package mutating func arrived(_ push: PushID, _ key: Key?, why: String?) {
        if let key { byKey[key] = push }
        set(why, of: push)
        if let key { tracked[push]?.key = key }
    }

    /// Records that a push waits for a device with a tracking app, or was dropped on its way, for the reason in `why`.
    /// Nothing changes if it has reached another such device.
    package mutating func missed(_ push: PushID, why: RuleID) {
        if let known = tracked[push], known.why?.hasPrefix(Self.absence) != true { return }
        set("\(Self.absence) (\(why))", of: push)
    }

    private static let absence = "the push has not reached the app"

    private mutating func set(_ why: String?, of push: PushID) {
        if tracked[push] == nil {
            order.append(push)
            if order.count > Self.capacity { forgetOldest() }
        }
        tracked[push, default: Tracked(push: push)].why = why
        unsaved.insert(push)
    }

    /// Notes why a simulated app has not reported a push. The first reason stays, unless the new one is final: a person
    /// has acted on the notification.
    package mutating func explain(_ push: PushID, _ why: String, isFinal: Bool) {
        guard let old = tracked[push], old.reported.isEmpty, isFinal || old.why == nil else { return }
        tracked[push]?.why = why
        unsaved.insert(push)
    }

    /// Records a hit. Returns it with its push, and with flags for anything unusual.
    package mutating func record(_ hit: TrackingHit, isSimulated: Bool, at now: Timestamp) -> Hit {
        let key = Key(broadlog: hit.broadlog, delivery: hit.delivery)
        var recorded = Hit(
            time: now, action: hit.action, broadlog: hit.broadlog, delivery: hit.delivery, ecid: hit.ecid,
            push: hit.push ?? byKey[key])
        let related = hits.filter { $0.broadlog == hit.broadlog && $0.delivery == hit.delivery && $0.ecid == hit.ecid }
        if hit.broadlog.isEmpty || hit.delivery.isEmpty {
            recorded.flags.append(.noId)
        } else if recorded.push == nil {
            recorded.flags.append(.unknownId)
        }
        if !Self.actions.contains(hit.action) { recorded.flags.append(.link) }
        if related.contains(where: { $0.action == hit.action }) { recorded.flags.append(.duplicate) }
        if hit.action == "1", !related.contains(where: { $0.action == "2" }) {
            recorded.flags.append(.openWithoutClick)
        }
        if let push = recorded.push {
            tracked[push]?.reported.append(hit.action)
            tracked[push]?.why = nil
            if isSimulated { tracked[push]?.simulatedActions.append(hit.action) }
            unsaved.insert(push)
        }
        hits.append(recorded)
        total += 1
        if hits.count > Self.capacity { hits.removeFirst(Self.capacity / 10) }
        return recorded
    }

    /// Adds a saved push.
    mutating func restore(_ push: Tracked) {
        if tracked[push.push] == nil { order.append(push.push) }
        tracked[push.push] = push
        if let key = push.key { byKey[key] = push.push }
    }

    package mutating func restore(_ hit: Hit) { hits.append(hit) }

    /// Forgets all hits and pushes. `total` stays, because the numbers of hits are keys in the database.
    package mutating func forgetAll() {
        let before = total
        self = TrackingBook()
        total = before
    }

    package mutating func forget(where isRemoved: (PushID) -> Bool) {
        hits.removeAll { $0.push.map(isRemoved) ?? false }
        order.removeAll(where: isRemoved)
        tracked = tracked.filter { !isRemoved($0.key) }
        byKey = byKey.filter { tracked[$0.value] != nil }
    }

    private mutating func forgetOldest() {
        let removed = order.prefix(Self.capacity / 10)
        for push in removed {
            tracked[push] = nil
            unsaved.insert(push)
        }
        order.removeFirst(removed.count)
        byKey = byKey.filter { tracked[$0.value] != nil }
    }
}
