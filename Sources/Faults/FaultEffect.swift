package import FCM
package import HTTPCore
package import PushCore

/// One thing that a fault does to a request or to its connection.
package enum FaultEffect: Sendable {
    /// Replace the real answer.
    case answer(Answer)
    /// Delay the answer, or whatever replaces it.
    case delay(Delay)
    /// Never answer.
    case silence
    /// Send RST_STREAM instead of an answer, once per error code.
    case reset([HTTP2ErrorCode])
    /// Send the head and the first bytes of the body of the answer, then RST_STREAM.
    case cut(after: Int, HTTP2ErrorCode)
    /// Send SETTINGS that change the flow-control window of later request bodies.
    case window(UInt32)
    /// Delay the delivery to the device.
    case delayDelivery(Delay)
    /// Send GOAWAY and, usually, close the connection.
    case goAway(GoAway)
    /// Close the connection without GOAWAY.
    case close(Closing)
    /// Keep the connection open, but read nothing and answer nothing, not even a PING.
    case blackHole
    /// Send SETTINGS that change the stream limit before the answer.
    case streamLimit(UInt32)
    /// Deliver an accepted push to the device this many times, even if the fault replaces the answer.
    case deliver(Int)
    /// Cut the connection of the real browser that gets the push, before it gets it.
    case disconnect
    /// Apply the fault to every later request of the connection, too.
    case sticky
    /// Break the TLS handshake.
    case tls(Handshake)
    /// Read nothing from a new connection for this long.
    case acceptDelay(Delay)
    /// Reset a new connection if this many are open.
    case connectionLimit(Int)
    /// Begin a new connection with this stream limit.
    case firstStreamLimit(UInt32)

    /// A fixed or random duration.
    package enum Delay: Sendable {
        case fixed(UInt64)
        case uniform(UInt64, UInt64)
        /// Half of the values are below the median. A larger `sigma` spreads them further.
        case logNormal(median: UInt64, sigma: Double)

        /// 30 days. A push that is due later than the year 9999 could be saved, but not read again.
        static let longest: UInt64 = 720 * 3_600_000

        func milliseconds(using generator: inout Random) -> UInt64 { min(drawn(using: &generator), Self.longest) }

        private func drawn(using generator: inout Random) -> UInt64 {
            switch self {
            case .fixed(let milliseconds): return milliseconds
            case .uniform(let least, let most): return UInt64.random(in: least...most, using: &generator)
            case .logNormal(let median, let sigma):
                // The sum of twelve uniform numbers is nearly normally distributed, and needs no math library.
                let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
                return UInt64(min(Double(Self.longest), Double(median) * Self.exponential(sigma * normal)))
            }
        }

        /// e to the power of `power`. The series is accurate near zero only, so the power is divided by 1,024 first.
        private static func exponential(_ power: Double) -> Double {
            let reduced = power / 1024
            var (term, sum) = (1.0, 1.0)
            for step in 1...10 {
                term *= reduced / Double(step)
                sum += term
            }
            for _ in 0..<10 { sum *= sum }
            return sum
        }
    }

    package struct Answer: Sendable {
        package let status: Int
        /// The reason, written in the format of APNs or FCM.
        package var reason: String?
        /// One of Google's recorded answers, which determines the status.
        package var recorded: RecordedAnswer?
        /// A complete body, instead of one made from `reason`.
        package var body: [UInt8]?
        package var contentType: String?
        package var headers: [(name: String, value: String)] = []
        /// The answer to calls to Google's APIs, if that answer is different. An array, because a struct cannot contain
        /// itself.
        private(set) var forGoogle: [Answer] = []

        /// A copy with a different answer for calls to Google's APIs.
        func orForGoogle(_ other: Answer) -> Answer {
            var answer = self
            answer.forGoogle = [other]
            return answer
        }

        /// The answer to a request to this provider.
        package func form(for provider: Provider) -> Answer { provider == .fcm ? forGoogle.first ?? self : self }
    }

    package struct GoAway: Sendable {
        package let code: HTTP2ErrorCode
        package let debug: String
        package var last = Last.request
        /// A stream number that replaces `last`. Requests on higher streams get no answer.
        package var lastStream: StreamID?
        package var times = 1
        /// The connection stays open. Requests on streams above the last one get RST_STREAM with REFUSED_STREAM.
        package var keepsOpen = false

        /// The stream that the GOAWAY names as the last one processed.
        package enum Last: String, Sendable, CaseIterable {
            /// The newest answered stream. The request that the fault hits is answered first.
            case request
            /// The newest answered stream. The request that the fault hits gets no answer.
            case before
            /// Stream 0: no stream was processed.
            case none
        }
    }

    package enum Closing: String, Sendable, CaseIterable {
        case end, reset
    }

    package enum Handshake: String, Sendable, CaseIterable {
        /// Send a fatal alert.
        case alert
        /// Present a certificate from an unknown authority.
        case untrusted = "rotated"
        /// Present an expired certificate.
        case expired
    }
}
