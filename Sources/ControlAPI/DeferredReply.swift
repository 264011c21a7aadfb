package import PushEngine

/// What a call waits for.
enum DeferredReply {
    case expect(Expectation)
    case events(EventStream)
}
