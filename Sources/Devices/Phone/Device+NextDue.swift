package import PushCore

extension Device {
    /// The next time after `now` at which something happens without any input: a throttled push gets through, an
    /// extension or a fetch ends, a held push may wake the app, or a date of a Live Activity comes. Nil if nothing waits.
    package func nextDue(after now: Timestamp) -> Timestamp? {
        var next: Timestamp?
        func consider(_ due: Timestamp) {
            if due > now { next = min(next ?? due, due) }
        }
        for push in waitingPushes {
            if case .throttled(let end) = push.obstacle { consider(end) }
        }
        for job in phone.jobs { consider(job.due) }
        if let due = heldPushDue { consider(due) }
        for due in phone.activityDueTimes { consider(due) }
        return next
    }
}
