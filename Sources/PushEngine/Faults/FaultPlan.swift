package import HTTPCore
internal import PushCore

/// What the effects of a fault come to for one request. Later effects win over earlier ones.
package struct FaultPlan: Sendable {
    package enum Reply: Sendable {
        case asDecided
        case answer(FaultEffect.Answer)
        case none
        case reset([HTTP2ErrorCode])
    }

    package enum Ending: Sendable {
        case goAway(FaultEffect.GoAway)
        case close(FaultEffect.Closing)
        case blackHole
    }

    package private(set) var reply = Reply.asDecided
    private(set) var deliveries: Int?
    package private(set) var delay: UInt64 = 0
    private(set) var lateness: UInt64 = 0
    private var delays: (answer: FaultEffect.Delay?, delivery: FaultEffect.Delay?)
    package private(set) var window: UInt32?
    /// The answer ends after so many octets of its body.
    package private(set) var cut: (octets: Int, code: HTTP2ErrorCode)?
    package private(set) var streamLimit: UInt32?
    package private(set) var ending: Ending?
    private(set) var isSticky = false
    package private(set) var handshake: FaultEffect.Handshake?

    init(_ effects: [FaultEffect]) {
        for effect in effects { apply(effect) }
    }

    /// The GOAWAY to come says that this stream was not served.
    package func leavesOut(_ stream: StreamID) -> Bool {
        guard case .goAway(let goAway) = ending, let last = goAway.lastStream else { return false }
        return stream > last
    }

    /// Of this hit alone.
    mutating func draw(using generator: inout Random) {
        if let answer = delays.answer { delay = answer.milliseconds(using: &generator) }
        if let delivery = delays.delivery { lateness = delivery.milliseconds(using: &generator) }
    }

    private mutating func apply(_ effect: FaultEffect) {
        switch effect {
        case .answer(let answer): reply = .answer(answer)
        case .delay(let drawn): delays.answer = drawn
        case .deliverLate(let drawn):
            delays.delivery = drawn
            deliveries = deliveries ?? 1
        case .cut(let octets, let code): cut = (octets, code)
        case .window(let size): window = size
        case .silence: reply = .none
        case .reset(let codes): reply = .reset(codes)
        case .goAway(let goAway):
            ending = .goAway(goAway)
            if goAway.last != .request { reply = .none }
        case .close(let closing):
            ending = .close(closing)
            reply = .none
        case .blackHole:
            ending = .blackHole
            reply = .none
        case .streamLimit(let limit): streamLimit = limit
        case .deliver(let count): deliveries = count
        case .sticky: isSticky = true
        case .tls(let handshake): self.handshake = handshake
        }
    }

    /// All is as it would be without it.
    var isNothing: Bool {
        guard case .asDecided = reply else { return false }
        return deliveries == nil && delays.answer == nil && window == nil && cut == nil && streamLimit == nil
            && ending == nil && handshake == nil
    }

    package var answer: FaultEffect.Answer? {
        if case .answer(let answer) = reply { return answer }
        return nil
    }

    /// What is decided truly is neither told nor done, unless the plan says that it is delivered all the same.
    package var overrides: Bool {
        switch reply {
        case .asDecided: return false
        case .answer, .none, .reset: return deliveries == nil
        }
    }
}
