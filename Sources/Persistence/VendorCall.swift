package import PushCore

/// A push, or another call to a push service, whose answer waits for the disk.
package struct VendorCall {
    /// The vendor in whose format the call is refused if it can't be saved.
    package let provider: Provider
    /// The newest event before the call.
    let newestEventBefore: UInt64

    package init(_ provider: Provider, after newestEvent: UInt64) {
        self.provider = provider
        newestEventBefore = newestEvent
    }
}
