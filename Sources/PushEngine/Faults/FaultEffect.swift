package import HTTPCore
internal import PushCore

/// One thing that a fault does to a request, or to the connection it came on.
package enum FaultEffect: Sendable {
    /// Answer this instead of the truth.
    case answer(Answer)
    /// Let the answer, or what is done instead of it, wait.
    case delay(Delay)
    /// Never answer.
    case silence
    /// RST_STREAM instead of an answer; several, one after the other.
    case reset([HTTP2ErrorCode])
    /// The answer's head and so many octets of its body, then RST_STREAM.
    case cut(after: Int, HTTP2ErrorCode)
    /// SETTINGS with another window for the bodies of requests to come.
    case window(UInt32)
    /// The device gets it so much later.
    case deliverLate(Delay)
    /// GOAWAY, and the end of the connection.
    case goAway(GoAway)
    /// The end of the connection, without a word of HTTP/2.
    case close(Closing)
    /// The connection stays open and is dead: nothing is read, nothing is said, not even to a PING.
    case blackHole
    /// SETTINGS with another stream limit, before the answer.
    case streamLimit(UInt32)
    /// So many deliveries to the device: what is said to the provider does not matter.
    case deliver(Int)
    /// The same for every later request of the connection.
    case sticky
    /// In the handshake, before there is a request.
    case tls(Handshake)

    /// How long something takes: the same each time, or drawn anew.
    package enum Delay: Sendable {
        case fixed(UInt64)
        case uniform(UInt64, UInt64)
        /// Half take less than the median; `sigma` is how far the others stray.
        case logNormal(median: UInt64, sigma: Double)

        static let longest: Double = 30 * 24 * 3600 * 1000

        func milliseconds(using generator: inout Random) -> UInt64 {
            switch self {
            case .fixed(let milliseconds): return milliseconds
            case .uniform(let least, let most): return UInt64.random(in: least...most, using: &generator)
            case .logNormal(let median, let sigma):
                // The sum of twelve even ones is nearly normal, and needs no library.
                let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
                return UInt64(min(Self.longest, Double(median) * Self.exponential(sigma * normal)))
            }
        }

        /// e to that, by halving what the series does not do well.
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
        /// The vendor's word, in the vendor's form.
        var reason: String?
        /// An answer of Google's by name, which has its own status.
        var recorded: String?
        /// A whole body instead.
        var body: [UInt8]?
        var contentType: String?
        var headers: [(name: String, value: String)] = []
    }

    package struct GoAway: Sendable {
        package let code: HTTP2ErrorCode
        package let debug: String
        package var last = Last.request
        /// A stream of the test's choice instead; requests above it stay without an answer.
        package var lastStream: StreamID?
        package var times = 1

        /// The last stream that the GOAWAY says was served.
        package enum Last: String, Sendable, CaseIterable {
            /// The newest that was answered; the request's own is answered first.
            case request
            /// The same, and the request itself stays without an answer.
            case before
            /// None at all.
            case none
        }
    }

    package enum Closing: String, Sendable, CaseIterable {
        case end, reset
    }

    package enum Handshake: String, Sendable, CaseIterable {
        /// A fatal alert instead of a handshake.
        case alert
        /// A certificate by an authority that nobody has heard of.
        case rotated
        /// One that is over.
        case expired
    }
}
