import Devices
import PushCore
import PushEngine

/// Calls about messages, as the control API makes them.
extension EngineFixture {
    /// Deletes the messages that match. Returns their number.
    func delete(_ filter: MessageFilter) -> Int { engine.deleteMessages(engine.pushes(matching: filter)) }

    func reset(_ app: String?) throws -> (messages: Int, devices: Int) {
        var filter = MessageFilter()
        if let app { try filter.add(.app, app) }
        let messages = engine.deleteMessages(engine.pushes(matching: filter))
        var devices = 0
        for slot in engine.devices.oldestFirst where engine.devices.belongs(slot, to: app) {
            if engine.resetDevice(slot, at: now) { devices += 1 }
        }
        engine.finishReset(app)
        return (messages, devices)
    }

    /// Judges an expectation by the messages so far.
    func judge(_ expectation: PushExpectation) -> (
        expectation: PushExpectation, verdict: PushExpectation.Verdict?
    ) {
        judge(expectation, upTo: engine.events.newest) {}
    }

    /// Judges an expectation by the messages so far. `meanwhile` happens between the search and the verdict.
    func judge(_ expectation: PushExpectation, upTo newest: UInt64, _ meanwhile: () -> Void) -> (
        expectation: PushExpectation, verdict: PushExpectation.Verdict?
    ) {
        var expectation = expectation
        let found = engine.messages(expectation.filter, before: nil, limit: .max).messages.map(\.record.id)
        let removals = engine.removals
        for push in found.reversed() { expectation.note(push) }
        meanwhile()
        return engine.judge(expectation, upTo: newest, since: removals)
    }

    /// The messages that nearly match.
    func nearest(to filter: MessageFilter) -> [NearMisses.Miss] {
        engine.updateJournal()
        var misses = NearMisses(PushExpectation(filter, .atLeast(1), within: 0), engine)
        while misses.next(&engine) {}
        return misses.found
    }
}
