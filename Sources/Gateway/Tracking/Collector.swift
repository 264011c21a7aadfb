internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore

/// Adobe Campaign's end of the tracking calls, for anyone who sends them here (facts/device.md §4.1 and §4.2).
enum Collector {
    /// The answer to any of its calls; 404 for a path that is none.
    static func answer(_ request: Request, _ gateway: Gateway) -> Response {
        guard [.get, .head, .post].contains(request.method) else { return Response(status: 405) }
        let path = String(decoding: request.path, as: UTF8.self)
        if path == "/r/" || path == "/r" { return take(request, gateway) }
        let pieces = path.split(separator: "/").map(String.init)
        let isKnown =
            pieces.count >= 5 && Array(pieces.prefix(3)) == ["rest", "head", "mobileAppV5"]
            && ["subscriptions", "locations"].contains(pieces[4])
        return isKnown ? Response(status: 200) : Answers.notFound
    }

    private static func take(_ request: Request, _ gateway: Gateway) -> Response {
        let query =
            String(decoding: request.target, as: UTF8.self).split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        var (id, ecid) = ("", "")
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? PercentCode.decode(Array(parts[1].utf8), isForm: true) : ""
            switch parts[0].lowercased() {
            case "id": id = value
            case "mcid": ecid = value
            default: break
            }
        }
        let parts = id.split(separator: ",", omittingEmptySubsequences: false).map { String($0.prefix(longest)) }
        guard parts.count == 3 else { return Response(status: 400) }
        let hit = TrackingHit(
            push: nil, action: parts[2], broadlog: parts[0], delivery: parts[1], ecid: String(ecid.prefix(longest)))
        gateway.engine.collect(hit, at: gateway.clock.now)
        gateway.workLater()
        return Response(status: 200)
    }

    private static let longest = 256
}
