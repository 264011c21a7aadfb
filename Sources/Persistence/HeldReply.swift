package import Faults
package import HTTPCore
package import PushEngine

/// An answer that waits until its push, or the change that its call made, is saved.
package struct HeldReply {
    package let target: ReplyTarget
    package let response: Response
    /// Nil for a call to the control API.
    package let call: VendorCall?
    /// The fault that applies to the answer.
    package let fault: Fault?
    /// Whether the request was a HEAD.
    package let isHead: Bool
    /// The request of a push that could not be saved, for its answer and its log line. Nil for other calls, and if the
    /// event log no longer has the request.
    package internal(set) var refusedRequest: Request?

    package init(to target: ReplyTarget, _ response: Response, for call: VendorCall?, fault: Fault?, isHead: Bool) {
        self.target = target
        self.response = response
        self.call = call
        self.fault = fault
        self.isHead = isHead
    }
}
