internal import JSON
internal import PushCore
internal import PushpitClient

/// A fault that hit one of the gateway's last requests. If an answer does not come, it is the likely cause.
struct FaultTrace {
    let sentence: String

    /// The oldest fault that counts, as an offset from the present in milliseconds.
    private static let longestAge: Int64 = -10_000
    /// How many of the newest events are looked at.
    private static let maxEvents: UInt64 = 100

    /// Asks the control API. Nil if no fault hit a request just now, or if the API is out of reach.
    init?(from client: ControlClient) {
        func json(_ path: String) -> JSONView? {
            (try? client.get(path)).flatMap { try? JSONDocument(parsing: $0.body).root }
        }
        guard let newest = json("/stats")?["events"]?.uint64,
            let now = json("/clock")?["now"]?.string.flatMap({ Timestamp(parsing: $0) }),
            let events = try? client.get(
                "/events?kind=fault&follow=false&since=\(newest &- min(newest, Self.maxEvents))"),
            let id = Self.newestFault(in: events.body, since: now + Self.longestAge)
        else { return nil }
        let effect = json("/faults?limit=1000")?["faults"]?.elements.first { $0["id"]?.string == id }?["effect"]
        self.init(id: id, effect: effect.map { String(decoding: $0.source, as: UTF8.self) })
    }

    /// - Parameter effect: in JSON; nil if the fault is gone.
    init(id: String, effect: String?) {
        let what = effect.map { " (\($0.onOneLine.prefix(200)))" } ?? ""
        sentence = "the fault \(id.onOneLine)\(what) caused this; DELETE /api/v1/faults/\(id.onOneLine) removes it"
    }

    /// The fault of the last event in a stream of server-sent events, if that event is not older than a time.
    static func newestFault(in stream: [UInt8], since start: Timestamp) -> String? {
        let lines = stream.split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last(where: { $0.starts(with: "data: ".utf8) }),
            let event = try? JSONDocument(parsing: Array(last.dropFirst("data: ".utf8.count))).root,
            let time = event["time"]?.string.flatMap({ Timestamp(parsing: $0) }), time >= start
        else { return nil }
        return event["data"]?["fault"]?.string
    }
}
