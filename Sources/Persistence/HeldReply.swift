package import HTTPCore
package import PushEngine

/// An answer that waits until its push, or the change that its call made, is saved.
package struct HeldReply {
    package let target: ReplyTarget
    package let response: Response
    /// The fault that applies to the answer.
    package let fault: Fault?
    /// Whether the request was a HEAD.
    package let isHead: Bool

    package init(to target: ReplyTarget, _ response: Response, fault: Fault?, isHead: Bool) {
        self.target = target
        self.response = response
        self.fault = fault
        self.isHead = isHead
    }
}
