package import PushEngine

/// An answer that comes later: when an expectation is decided, in pieces as events happen, or after several turns of
/// the loop.
package enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
    case query(any SlicedCall)

    /// Whether the answer comes without any further event.
    package var endsByItself: Bool {
        switch self {
        case .query: true
        case .expect, .events: false
        }
    }
}
