/// One of Apple's two worlds: tokens and channels of one are unknown in the other.
package enum PushEnvironment: String, Sendable, CaseIterable { case production, sandbox }
