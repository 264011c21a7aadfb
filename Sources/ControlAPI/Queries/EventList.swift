internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// A page of events: `GET /messages/{id}/events`, and `GET /events` as JSON.
final class EventList: SlicedCall {
    private let call: ControlAPI.Call
    private let page: ControlPage
    /// The events that are wanted; nil for those of the push in the path.
    private let filter: EventStream.Filter?
    /// The newest event when the call began.
    private let newest: UInt64
    /// The push, once it is found.
    private var push: PushID?
    /// The last event that was looked at.
    private var position: UInt64
    private var json = JSONWriter()
    /// What the events of the page tell about each device.
    private var reports = PushReports(limit: maxDevices)
    private var count = 0
    private var last: UInt64 = 0

    /// A page with more bytes than this ends, even if it has fewer events than wanted.
    private static let maximumLength = 4 << 20
    /// A page has at most this many events, so they are about no more devices.
    private static let maxDevices = 1000
    /// How many events are looked at before the time is checked again.
    private static let slice = 64

    /// - Parameter start: the events after this number are wanted.
    init(
        _ call: ControlAPI.Call, _ filter: EventStream.Filter? = nil, after start: UInt64 = 0
    ) throws(ControlProblem) {
        self.call = call
        self.filter = filter
        page = try call.query.page()
        newest = call.host.box.engine.events.newest
        position = max(start, UInt64(page.start))
        json.beginObject()
        json.key("events")
        json.beginArray()
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        do throws(ControlProblem) {
            guard try isReady(host) else { return nil }
            repeat {
                for _ in 0..<Self.slice {
                    guard let event = host.box.engine.events.event(after: position), event.seq <= newest else {
                        return answer(host, hasMore: false)
                    }
                    position = event.seq
                    guard wants(event, host) else { continue }
                    if count == page.limit || json.bytes.count > Self.maximumLength {
                        return answer(host, hasMore: true)
                    }
                    event.write(to: &json, ids(of: event, host))
                    if push != nil { reports.add(event) }
                    count += 1
                    last = event.seq
                }
            } while !host.isTurnOver
            return nil
        } catch { return .answer(error.response) }
    }

    /// False as long as the journal does not know the push in the path.
    private func isReady(_ host: any ControlHost) throws(ControlProblem) -> Bool {
        if filter != nil || push != nil { return true }
        guard host.updateJournal(to: newest), host.continueDeletion() else { return false }
        let message = try ControlAPI.message(call)
        // Nothing happened to the push before it came.
        position = max(position, message.event.seq &- 1)
        push = message.record.id
        return true
    }

    private func wants(_ event: Event, _ host: any ControlHost) -> Bool {
        guard let filter else { return event.push == push }
        return filter.matches(
            event, project: { host.box.engine.project(of: event) },
            message: { host.box.engine.message(of: $0) })
    }

    private func ids(of event: Event, _ host: any ControlHost) -> AnsweredIDs? {
        guard case .push(let record) = event.detail else { return nil }
        return host.box.engine.answeredIDs(of: record)
    }

    private func answer(_ host: any ControlHost, hasMore: Bool) -> ControlAPI.Reply {
        json.endArray()
        if let push {
            json.key("devices")
            host.box.engine.write(reports, of: push, to: &json)
        }
        json.member("next", hasMore ? String(last) : nil)
        json.endObject()
        return .answer(.json(json.takeBytes()))
    }
}
