/// Holds the engine of one gateway, so that the gateway and the control API share it.
///
/// A property in a protocol would be enough, but reading a member of a non-copyable value through it ends the borrow
/// too early (Swift 6.3, found by the address sanitizer). A stored property of a class is read in place.
package final class EngineBox {
    package var engine: PushEngine

    package init(_ engine: consuming PushEngine) { self.engine = engine }
}

@available(*, unavailable) extension EngineBox: Sendable {}
