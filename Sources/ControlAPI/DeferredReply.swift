package import PushEngine

/// What a call waits for.
package enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
}
