internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// A call that may take long, for example because it looks at many messages or creates many devices. It is done in
/// slices, so that it does not hold up the loop.
package protocol SlicedCall: AnyObject {
    /// Continues until the call is answered or the turn is over. Always does some work. Nil if work is left.
    func advance(_ host: any ControlHost) -> ControlAPI.Reply?
}

extension ControlHost {
    /// Adds events to the journal, in which pushes are searched, until it has the event with the number `newest`, or until the turn is over. True if
    /// the journal has that event.
    func updateJournal(to newest: UInt64) -> Bool {
        repeat {
            if box.engine.updateJournal(to: newest, atMost: 256) { return true }
        } while !isTurnOver
        return false
    }

    /// Continues the deletion that is going on, until the turn is over. True once it is complete.
    func continueDeletion() -> Bool {
        while !box.engine.continueDeletion(atMost: 256) { if isTurnOver { return false } }
        return true
    }

    /// Passes the matches of a search to `found` until the turn is over. True if there are no more messages, or if
    /// `found` has returned false.
    func continueSearch(_ search: inout MessageSearch, _ found: (Message) -> Bool) -> Bool {
        repeat {
            if let message = box.engine.nextMatch(&search, atMost: 64), !found(message) { return true }
            if search.isDone { return true }
        } while !isTurnOver
        return false
    }
}

extension JSONWriter {
    /// Takes the finished text, and leaves an empty writer. A class can't call `finish()` on a writer that it stores,
    /// because that would consume it.
    mutating func takeBytes() -> [UInt8] {
        var done = JSONWriter()
        swap(&done, &self)
        return done.finish()
    }
}

/// A call that needs an up-to-date journal, and is fast otherwise.
final class JournalCall: SlicedCall {
    private let call: ControlAPI.Call
    private let newest: UInt64
    private let handle: (ControlAPI.Call) throws(ControlProblem) -> Response

    init(_ call: ControlAPI.Call, _ handle: @escaping (ControlAPI.Call) throws(ControlProblem) -> Response) {
        self.call = call
        self.handle = handle
        newest = call.host.box.engine.events.newest
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        guard host.updateJournal(to: newest), host.continueDeletion() else { return nil }
        do throws(ControlProblem) { return .answer(try handle(call)) } catch { return .answer(error.response) }
    }
}

extension ControlAPI.Route {
    /// Makes the handler of a route whose calls need an up-to-date journal.
    static func withJournal(
        _ handle: @escaping @Sendable (ControlAPI.Call) throws(ControlProblem) -> Response
    ) -> @Sendable (ControlAPI.Call) throws(ControlProblem) -> ControlAPI.Reply {
        { (call) throws(ControlProblem) in .deferred(.query(JournalCall(call, handle))) }
    }
}
