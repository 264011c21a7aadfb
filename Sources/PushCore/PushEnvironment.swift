/// One of Apple's two environments. Tokens and channels of one are unknown in the other.
package enum PushEnvironment: String, Sendable, CaseIterable { case production, sandbox }
