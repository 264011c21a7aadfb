/// The time that a connection may use up. It earns time with each request that it completes, and gets back the time that
/// the request has taken. So only input that leads to no request ever exceeds the budget: header blocks that are reset,
/// handshakes, or thousands of small frames.
struct WorkBudget {
    /// Nanoseconds that the connection can save up, and that each request earns.
    private let capacity: Int64
    private let perRequest: Int64
    private var left: Int64
    /// Loop time in milliseconds of the last refill.
    private var refilled: UInt64

    /// The nanoseconds that a connection gets in each millisecond, even without requests: a tenth of the time.
    private static let gainPerMillisecond: UInt64 = 100_000
    /// What each byte of a request's body earns, because a long body takes long to read.
    private static let nanosecondsPerByte: Int64 = 100
    /// The capacity, in shares of a turn.
    private static let shares: Int64 = 1000
    /// With a larger share or a longer request, the sums could overflow.
    private static let maximumShare: UInt64 = 1 << 40
    private static let longestRequest: UInt64 = 1 << 40

    /// - Parameter share: nanoseconds that work may take in one turn.
    init(share: UInt64, at now: UInt64) {
        perRequest = Int64(min(share, Self.maximumShare))
        capacity = Self.shares * perRequest
        left = capacity
        refilled = now
    }

    /// A request with a body of this length is complete, and was handled in `nanoseconds`.
    mutating func earn(bodyLength: Int, handledIn nanoseconds: UInt64 = 0) {
        left += perRequest + Self.nanosecondsPerByte * Int64(bodyLength) + Int64(min(nanoseconds, Self.longestRequest))
    }

    /// Subtracts the time that the connection's input has taken. Returns false if the budget is used up.
    mutating func spend(_ nanoseconds: UInt64, at now: UInt64) -> Bool {
        let gained = min(now &- refilled, 1 << 30) * Self.gainPerMillisecond
        refilled = now
        left = min(capacity, left + Int64(gained)) - Int64(min(nanoseconds, 1 << 60))
        return left > 0
    }
}
