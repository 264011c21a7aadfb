internal import PushCore

/// Live Activities (docs/evidence/device.md §2.3(14), documented).
extension Device {
    /// Starts, updates or ends a Live Activity.
    mutating func applyActivityEvent(
        _ event: AppleContent.Activity, _ arrival: Arrival, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        // The token or the event names the activity; otherwise it is the newest one that has not ended.
        let type = arrival.activity ?? event.attributesType ?? newestActivity ?? ""
        let known = phone.activities[type]
        let names: [(String, JSONScalar)] = [("activity", .string(type)), ("event", .string(event.event))]
        if let known, event.timestamp < known.timestamp {
            return emit(.suppressed, arrival.push, .iosActivityOutdated, names, &effects)
        }
        if event.event != "start", known?.hasEnded != false {
            return emit(.suppressed, arrival.push, .iosActivityOver, names, &effects)
        }
        if known == nil, phone.activities.count >= Phone.activityLimit { removeOldestActivity(&effects) }
        var activity =
            event.event == "start"
            ? LiveActivity(timestamp: event.timestamp) : known ?? LiveActivity(timestamp: event.timestamp)
        activity.timestamp = event.timestamp
        activity.token = known?.token
        activity.hasEnded = event.event == "end"
        activity.staleDate = activity.hasEnded ? nil : event.staleDate.map(Self.timestamp)
        if activity.hasEnded {
            activity.dismissalDate = min(
                event.dismissalDate.map(Self.timestamp) ?? now + LiveActivity.stayAfterEnd,
                now + LiveActivity.stayAfterEnd)
        }
        phone.activities[type] = activity
        var shown = names
        if let alert = event.alert { shown += [("title", .string(alert.title)), ("body", .string(alert.body))] }
        if let sound = event.sound { shown.append(("sound", .string(sound))) }
        if activity.dismissalDate.map({ $0 > now }) ?? true {
            emit(.presented, arrival.push, .iosActivity, shown, &effects)
        }
        if event.event == "start" { effects.append(.activityBegan(type, channel: event.channel)) }
        if activity.hasEnded { effects.append(.activityEnded(known?.token)) }
        updateActivities(at: now, &effects)
    }

    /// Asks for a timer for the next date of an activity, unless a pending timer fires early enough.
    private mutating func scheduleActivityTimer(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        if let pending = phone.activityTimer, pending <= now { phone.activityTimer = nil }
        guard let due = phone.activityDueTimes.min() else { return }
        let next = min(due, now + Self.maxTimer)
        guard phone.activityTimer.map({ next < $0 }) ?? true else { return }
        phone.activityTimer = next
        effects.append(.wake(next))
    }

    /// The longest timer in milliseconds. For a later date, the timer is set again when it fires.
    private static let maxTimer: Int64 = 12 * 3_600_000

    /// Handles stale and dismissal dates that have passed.
    mutating func updateActivities(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        for (type, activity) in phone.activities.sorted(by: { $0.key < $1.key }) {
            if let due = activity.staleDate, due <= now {
                phone.activities[type]?.staleDate = nil
                effects.append(
                    .event(
                        .state, push: nil, why: .iosActivityStale,
                        .fields([("activity", .string(type)), ("state", .string("stale"))])))
            }
            if let due = activity.dismissalDate, due <= now {
                phone.activities[type]?.dismissalDate = nil
                effects.append(
                    .event(.removed, push: nil, why: .iosActivityDismissed, .fields([("activity", .string(type))])))
            }
        }
        scheduleActivityTimer(at: now, &effects)
    }

    private var newestActivity: String? {
        phone.activities.filter { !$0.value.hasEnded }.max {
            ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key)
        }?.key
    }

    /// Removes the oldest activity, because there are too many.
    private mutating func removeOldestActivity(_ effects: inout [DeviceEffect]) {
        guard let oldest = phone.activities.min(by: { ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key) })
        else { return }
        phone.activities[oldest.key] = nil
        if let token = oldest.value.token { effects.append(.activityEnded(token)) }
    }

    private static func timestamp(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: min(max(seconds, 0), LiveActivity.latestDate / 1000) * 1000)
    }
}
