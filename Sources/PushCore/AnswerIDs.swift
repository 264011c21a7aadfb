/// The ids that an answer has beside what the sender sent: those that were minted for it.
package struct AnswerIDs: Sendable {
    /// In the place of one that the sender did not send.
    package let id: MintedID?
    /// The sandbox's own.
    package let uniqueID: MintedID?

    package init(hasOwn: Bool, in environment: PushEnvironment, using generator: inout Random) {
        id = hasOwn ? nil : MintedID(using: &generator)
        uniqueID = environment == .sandbox ? MintedID(using: &generator) : nil
    }
}
