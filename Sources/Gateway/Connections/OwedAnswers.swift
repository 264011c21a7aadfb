internal import Faults
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// The answers that a connection still owes to its client, and the endings by faults that wait for them. If an ending
/// came first, the log would say that a push was answered although the client never saw the answer.
struct OwedAnswers {
    /// Streams whose answers wait for the disk or for the end of a fault's delay.
    private var streams: [StreamID] = []
    private var endings: [FaultPlan.Ending] = []

    var isEmpty: Bool { streams.isEmpty }

    mutating func add(_ stream: StreamID) { streams.append(stream) }

    /// The stream has its answer, gets none, or is closed.
    mutating func settled(_ stream: StreamID) {
        if let index = streams.firstIndex(of: stream) { streams.remove(at: index) }
    }

    /// The time of an ending has come; it may still have to wait.
    mutating func endingDue(_ ending: FaultPlan.Ending) { endings.append(ending) }

    /// The oldest ending, if no answer is owed any more.
    mutating func nextEnding() -> FaultPlan.Ending? {
        streams.isEmpty && !endings.isEmpty ? endings.removeFirst() : nil
    }
}
