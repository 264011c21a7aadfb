internal import PushCore

/// Live Activities (facts/device.md §2.3(14), documented).
extension Device {
    mutating func change(
        _ event: AppleContent.Activity, _ arrival: Arrival, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        // The token says which it is, or the event; else it is the one that goes on.
        let type = arrival.activity ?? event.kind ?? newestActivity ?? ""
        let known = phone.activities[type]
        let names: [(String, JSONScalar)] = [("activity", .string(type)), ("event", .string(event.event))]
        if let known, event.timestamp < known.timestamp {
            return tell(.suppressed, arrival.push, .iosActivityOutdated, names, &effects)
        }
        if event.event != "start", known?.isOver != false {
            return tell(.suppressed, arrival.push, .iosActivityOver, names, &effects)
        }
        if known == nil, phone.activities.count >= Phone.activityLimit { forgetActivity(&effects) }
        var activity =
            event.event == "start"
            ? LiveActivity(timestamp: event.timestamp) : known ?? LiveActivity(timestamp: event.timestamp)
        activity.timestamp = event.timestamp
        activity.token = known?.token
        activity.isOver = event.event == "end"
        activity.stale = activity.isOver ? nil : event.stale.map(Self.moment)
        if activity.isOver {
            activity.dismissal = min(
                event.dismissal.map(Self.moment) ?? now + LiveActivity.stay, now + LiveActivity.stay)
        }
        phone.activities[type] = activity
        var shown = names
        if let alert = event.alert { shown += [("title", .string(alert.title)), ("body", .string(alert.body))] }
        if let sound = event.sound { shown.append(("sound", .string(sound))) }
        if activity.dismissal.map({ $0 > now }) ?? true {
            tell(.presented, arrival.push, .iosActivity, shown, &effects)
        }
        if event.event == "start" { effects.append(.activityBegan(type, channel: event.channel)) }
        if activity.isOver { effects.append(.activityEnded(known?.token)) }
        ageActivities(at: now, &effects)
    }

    /// Asks for one timer, however many events name a time: an earlier one, or the next when that has come.
    private mutating func awaitActivities(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        if let awaited = phone.activityTimer, awaited <= now { phone.activityTimer = nil }
        guard let due = phone.activityMoments.min() else { return }
        let next = min(due, now + Self.longestWait)
        guard phone.activityTimer.map({ next < $0 }) ?? true else { return }
        phone.activityTimer = next
        effects.append(.wake(next))
    }

    /// Beyond it another timer follows.
    private static let longestWait: Int64 = 12 * 3_600_000

    /// To be called when time has passed.
    mutating func ageActivities(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        for (type, activity) in phone.activities.sorted(by: { $0.key < $1.key }) {
            if let due = activity.stale, due <= now {
                phone.activities[type]?.stale = nil
                effects.append(
                    .event(
                        .state, push: nil, why: .iosActivityStale,
                        .fields([("activity", .string(type)), ("state", .string("stale"))])))
            }
            if let due = activity.dismissal, due <= now {
                phone.activities[type]?.dismissal = nil
                effects.append(
                    .event(.removed, push: nil, why: .iosActivityDismissed, .fields([("activity", .string(type))])))
            }
        }
        awaitActivities(at: now, &effects)
    }

    private var newestActivity: String? {
        phone.activities.filter { !$0.value.isOver }.max {
            ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key)
        }?.key
    }

    /// The oldest, where there are too many.
    private mutating func forgetActivity(_ effects: inout [DeviceEffect]) {
        guard let oldest = phone.activities.min(by: { ($0.value.timestamp, $0.key) < ($1.value.timestamp, $1.key) })
        else { return }
        phone.activities[oldest.key] = nil
        if let token = oldest.value.token { effects.append(.activityEnded(token)) }
    }

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: min(max(seconds, 0), 1 << 40) * 1000)
    }
}
