internal import JSON

/// What a gateway says about itself in `/stats`.
struct GatewayStats: Sendable {
    /// A name of this run of the gateway. It stays the same after a start that restored all messages.
    let run: String?
    let newestEvent: UInt64?
    /// The number of the newest event that the log has forgotten because of its limits; 0 if it still has all.
    private let forgotten: UInt64
    /// How many pushes it has accepted, refused and deleted since its start.
    private let accepted, refused, deleted: Int64

    /// - Parameter body: the answer of `/stats`.
    init(_ body: [UInt8]) {
        let stats = (try? JSONDocument(parsing: body))?.root
        run = stats?["run"]?.string
        newestEvent = stats?["events"]?.exactInteger.flatMap { UInt64(exactly: $0) }
        forgotten = stats?["forgotten"]?.exactInteger.flatMap { UInt64(exactly: $0) } ?? 0
        (accepted, refused) = (stats?["accepted"]?.exactInteger ?? 0, stats?["refused"]?.exactInteger ?? 0)
        deleted = stats?["deleted"]?.exactInteger ?? 0
    }

    /// Whether this is the same run, or a restart that continued its event numbers.
    func continues(_ before: GatewayStats) -> Bool {
        run == before.run && newestEvent ?? 0 >= before.newestEvent ?? 0
    }

    /// Whether the log has forgotten events that came after `before`.
    func hasForgotten(since before: GatewayStats?) -> Bool { forgotten > before?.newestEvent ?? 0 }

    /// How many pushes came in between. A gateway that was started meanwhile with its old `--data` counts from its start.
    func pushes(since before: GatewayStats?) -> (accepted: Int64, refused: Int64, deleted: Int64) {
        guard let before, accepted >= before.accepted, refused >= before.refused, deleted >= before.deleted else {
            return (accepted, refused, deleted)
        }
        return (accepted &- before.accepted, refused &- before.refused, deleted &- before.deleted)
    }
}
