internal import EventLoop
package import PushCore

/// The gateway's time: the system's, or one that stands still until it is moved.
package struct Clock: Sendable {
    private enum Source { case system, manual(Timestamp) }
    private var source: Source

    package static let system = Clock(source: .system)
    package static func manual(at start: Timestamp) -> Clock { Clock(source: .manual(start)) }

    private init(source: Source) { self.source = source }

    package var now: Timestamp {
        switch source {
        case .system: Timestamp(milliseconds: EventLoop.wallClock)
        case .manual(let moment): moment
        }
    }

    /// Moves a manual clock on; the system's is not ours to move.
    package mutating func advance(by milliseconds: Int64) {
        guard case .manual(let moment) = source else { return }
        source = .manual(moment + milliseconds)
    }
}
