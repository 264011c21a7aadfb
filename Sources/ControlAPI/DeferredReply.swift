package import PushEngine

/// An answer that comes later: when an expectation is decided, or piece by piece as events happen.
package enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
}
