package import HTTPCore
package import PushCore

/// The combined effects of a fault on one request. Later effects override earlier ones.
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

        /// Whether the connection stays open after the ending, which is then only a GOAWAY.
        package var keepsOpen: Bool {
            if case .goAway(let goAway) = self { return goAway.keepsOpen }
            return false
        }
    }

    /// What happens when a connection opens, before it has a request.
    package enum Opening: Sendable {
        case handshake(FaultEffect.Handshake)
        /// The plan's `delay` says how long.
        case delay
        case connectionLimit(Int)
        case streamLimit(UInt32)

        /// The name of the effect.
        package var name: String {
            switch self {
            case .handshake: "tls"
            case .delay: "acceptDelay"
            case .connectionLimit: "connectionLimit"
            case .streamLimit: "firstStreamLimit"
            }
        }
    }

    package private(set) var reply = Reply.asDecided
    package private(set) var deliveries: Int?
    package private(set) var delay: UInt64 = 0
    package private(set) var deliveryDelay: UInt64 = 0
    private var delays: (answer: FaultEffect.Delay?, delivery: FaultEffect.Delay?)
    package private(set) var window: UInt32?
    /// Where the body of the answer is cut off, and the code of the RST_STREAM that follows.
    package private(set) var cut: (count: Int, code: HTTP2ErrorCode)?
    package private(set) var streamLimit: UInt32?
    package private(set) var ending: Ending?
    private(set) var isSticky = false
    /// Whether the real browser that gets the push loses its connection first.
    package private(set) var disconnects = false
    package private(set) var opening: Opening?

    init(_ effects: [FaultEffect]) {
        for effect in effects { apply(effect) }
    }

    /// The ending over HTTP/1.1. Nil for a GOAWAY that keeps the connection open, because HTTP/1.1 has no such message.
    package var endingOverHTTP1: Ending? { ending?.keepsOpen == true ? nil : ending }

    /// Whether the fault's GOAWAY will say that this stream was not processed.
    package func excludes(_ stream: StreamID) -> Bool {
        guard case .goAway(let goAway) = ending, let last = goAway.lastStream else { return false }
        return stream > last
    }

    /// The status and reason that the client sees. The status is 0 if the fault sends no answer, or if its GOAWAY
    /// excludes the stream.
    ///
    /// - Parameter real: the real status and reason.
    package func visibleAnswer(
        _ real: (status: Int, reason: String?), _ provider: Provider, isForTopic: Bool = false, on stream: StreamID
    ) -> (status: Int, reason: String?) {
        if excludes(stream) { return (0, nil) }
        switch reply {
        case .asDecided: return real
        case .answer(let answer):
            let form = answer.form(for: provider)
            switch provider {
            case .apns: return (form.status, form.reasonForAPNs)
            case .fcm: return (form.status, form.reasonForGoogle(isForTopic: isForTopic))
            case .webpush: return (form.status, form.reason)
            }
        case .none, .reset: return (0, nil)
        }
    }

    /// Draws the random delays for one request.
    mutating func draw(using generator: inout Random) {
        if let answer = delays.answer { delay = answer.milliseconds(using: &generator) }
        if let delivery = delays.delivery { deliveryDelay = delivery.milliseconds(using: &generator) }
    }

    private mutating func apply(_ effect: FaultEffect) {
        switch effect {
        case .answer(let answer): reply = .answer(answer)
        case .delay(let drawn): delays.answer = drawn
        case .delayDelivery(let drawn):
            delays.delivery = drawn
            deliveries = deliveries ?? 1
        case .cut(let count, let code): cut = (count, code)
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
        case .disconnect:
            disconnects = true
            deliveries = deliveries ?? 1
        case .sticky: isSticky = true
        case .tls(let handshake): opening = .handshake(handshake)
        case .acceptDelay(let drawn):
            delays.answer = drawn
            opening = .delay
        case .connectionLimit(let limit): opening = .connectionLimit(limit)
        case .firstStreamLimit(let limit): opening = .streamLimit(limit)
        }
    }

    /// Whether the fault changes nothing.
    var hasNoEffect: Bool {
        guard case .asDecided = reply else { return false }
        return deliveries == nil && delays.answer == nil && window == nil && cut == nil && streamLimit == nil
            && ending == nil && opening == nil
    }

    package var answer: FaultEffect.Answer? {
        if case .answer(let answer) = reply { return answer }
        return nil
    }

    /// The fault replaces the real verdict: no state changes and nothing is delivered. False if the plan delivers the
    /// push anyway.
    package var overrides: Bool {
        switch reply {
        case .asDecided: return false
        case .answer, .none, .reset: return deliveries == nil
        }
    }
}
