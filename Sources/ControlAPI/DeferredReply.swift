package import Devices
package import PushEngine

/// An answer that comes later: when an expectation is decided, in pieces as events happen, after several turns of the
/// loop, or when a file is fetched.
package enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
    case query(any SlicedCall)
    case file(FetchRequest)

    /// Whether the answer comes without any further event.
    package var endsByItself: Bool {
        switch self {
        case .query, .file: true
        case .expect, .events: false
        }
    }
}
