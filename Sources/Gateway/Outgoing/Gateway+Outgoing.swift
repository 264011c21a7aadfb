internal import ControlAPI
internal import Fetching
internal import PushCore
internal import PushEngine

/// What the gateway sends to other programs: requests for files, reports of apps, and events.
extension Gateway {
    /// Call it once, before the gateway accepts connections.
    func use(_ outgoing: Outgoing) {
        self.outgoing = outgoing
        box.engine.fetchesMedia = outgoing.fetcher != nil
        for fetcher in [outgoing.fetcher, outgoing.apiFetcher] {
            fetcher?.table = { [unowned self] in box.engine.media[$0] }
        }
        box.engine.forwardsHits = outgoing.postbacks != nil
        guard let webhook = outgoing.webhook else { return }
        webhookReader = .all(after: box.engine.events.newest)
        webhook.becameReady = { [unowned self] in scheduleWork() }
    }

    /// Whether the webhook and the postback collector have got everything.
    var hasSentOut: Bool { outgoing?.isIdle ?? true && !hasEventsToPost }

    /// Sends one request or report.
    func sendOut() {
        if let hit = box.engine.pendingWork.hits.popFirst() { outgoing?.postbacks?.send(hit) }
        guard let fetch = box.engine.pendingWork.fetches.popFirst() else { return }
        outgoing?.fetcher?.fetch(fetch.request) { [unowned self] result in
            clock.tick()
            box.engine.fetched(fetch, result, at: clock.now)
            scheduleWork()
        }
    }

    /// Copies what was sent to the metrics.
    func countOutgoing() {
        box.engine.metrics.eventsPosted = outgoing?.webhook?.delivered ?? 0
        box.engine.metrics.eventsDropped = outgoing?.webhook?.dropped ?? 0
        box.engine.metrics.reportsSent = outgoing?.postbacks?.delivered ?? 0
        box.engine.metrics.reportsDropped = outgoing?.postbacks?.dropped ?? 0
    }

    var hasEventsToPost: Bool {
        guard let webhook = outgoing?.webhook, let reader = webhookReader else { return false }
        return webhook.isReady && reader.position < box.engine.events.newest
    }

    /// Posts the next events. The webhook gets the following ones when these have arrived.
    func postEvents() {
        guard let webhook = outgoing?.webhook, let reader = webhookReader else { return }
        let missedBefore = reader.missedSoFar
        let lines = nextEvents(of: reader)
        if reader.missedSoFar > missedBefore {
            webhook.noteDropped(Int(reader.missedSoFar - missedBefore), because: "the log had no more room for them")
        }
        if !lines.isEmpty { webhook.post(lines) }
    }
}
