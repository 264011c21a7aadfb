package import PushEngine

/// An answer that comes later: when an expectation is decided, or in pieces as events happen.
package enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
}
