package import HTTPCore
package import PushEngine

/// The answer to a push that waits until the push is on the disk.
package struct HeldReply {
    package let target: ReplyTarget
    package let response: Response
    /// Something that goes wrong on purpose with the answer.
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
