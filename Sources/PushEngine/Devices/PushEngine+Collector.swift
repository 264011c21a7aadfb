internal import Devices
internal import FCM
package import HTTPCore
package import PushCore

/// The server side of Adobe Campaign's tracking calls, for apps that send real HTTP hits (docs/evidence/device.md §4.1,
/// §4.2).
extension PushEngine {
    /// Answers a call to the collector; nil if the path does not belong to it. Methods other than GET, HEAD and POST get
    /// 405 on every path.
    package mutating func collect(_ request: Request, at now: Timestamp) -> Response? {
        guard [.get, .head, .post].contains(request.method) else { return Response(status: 405) }
        let path = String(decoding: request.path, as: UTF8.self)
        if path == "/r/" || path == "/r" { return takeHit(request, at: now) }
        let pieces = path.split(separator: "/").map(String.init)
        let isKnown =
            pieces.count >= 5 && Array(pieces.prefix(3)) == ["rest", "head", "mobileAppV5"]
            && ["subscriptions", "locations"].contains(pieces[4])
        return isKnown ? Response(status: 200) : nil
    }

    private mutating func takeHit(_ request: Request, at now: Timestamp) -> Response {
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
        let parts = id.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.prefix(Self.maxFieldLength))
        }
        guard parts.count == 3 else { return Response(status: 400) }
        let hit = TrackingHit(
            push: nil, action: parts[2], broadlog: parts[0], delivery: parts[1],
            ecid: String(ecid.prefix(Self.maxFieldLength)))
        collect(hit, at: now)
        return Response(status: 200)
    }

    private static let maxFieldLength = 256
}
