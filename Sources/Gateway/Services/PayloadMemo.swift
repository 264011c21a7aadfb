internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// The headers and the payload that the app gets, for the most recent push.
///
/// Many devices get the same push, and one device often gets the same push again. The JSON is then written only once.
struct PayloadMemo {
    private(set) var headers: [UInt8] = []
    private(set) var payload: [UInt8] = []
    /// The `apns-id` that the sender has chosen; nil if the gateway has generated it.
    private(set) var suppliedID: String?
    /// Google's name for the message.
    private(set) var name: String?
    /// Where an iPhone's installation id is in `payload`; nil for other payloads.
    private var fidPlace: Range<Int>?
    private var fid = ""
    private var app = ""
    private var known = Known.nothing
    /// Incremented whenever `headers` or `payload` changes.
    private var version = 0

    var provider: Provider { known.provider }

    private enum Known: Equatable {
        case nothing
        /// An APNs push. Its JSON is the same for every device.
        case apns(body: [UInt8], head: HeaderBlock)
        /// An FCM message. Its JSON is the same for every device of a platform, except for the installation id.
        case fcm(PushID, Device.Platform)
        case webPush(PushID)

        var provider: Provider {
            switch self {
            case .nothing, .apns: .apns
            case .fcm: .fcm
            case .webPush: .webpush
            }
        }
    }

    /// Sets `headers` and `payload` to those of this push, and returns their version.
    mutating func read(_ inbound: PushEngine.InboundPush, _ app: String) -> Int {
        if self.app != app { (self.app, known) = (app, .nothing) }
        switch inbound.delivery.rendered.provider {
        case .apns: readAPNs(inbound.delivery.request)
        case .fcm: readFCM(inbound)
        case .webpush: readWebPush(inbound)
        }
        return version
    }

    private mutating func readWebPush(_ inbound: PushEngine.InboundPush) {
        guard known != .webPush(inbound.id) else { return }
        known = .webPush(inbound.id)
        version += 1
        let request = inbound.delivery.request
        headers = Self.json { json in
            json.object { json in
                for name in ["ttl", "topic", "urgency"] {
                    guard let value = request.headers.first(HeaderName(name)) else { continue }
                    json.member(name, String(decoding: value, as: UTF8.self))
                }
            }
        }
        payload = Self.payload(of: request)
    }

    private mutating func readAPNs(_ request: Request) {
        var (hasSameHead, hasSameBody) = (false, false)
        if case .apns(let body, let head) = known {
            (hasSameHead, hasSameBody) = (head == request.headers, request.body.span.equals(body))
        }
        if hasSameHead, hasSameBody { return }
        if !hasSameBody { payload = Self.payload(of: request) }
        if !hasSameHead {
            headers = Self.json { $0.object { Self.writeHeaders(of: request, to: &$0) } }
            suppliedID = request.suppliedAPNsID
        }
        known = .apns(body: request.body, head: request.headers)
        version += 1
    }

    private mutating func readFCM(_ inbound: PushEngine.InboundPush) {
        let next = Known.fcm(inbound.id, inbound.platform)
        guard known != next else { return replaceFID(with: inbound.fid) }
        known = next
        fid = inbound.fid
        fidPlace = nil
        version += 1
        name = inbound.delivery.request.messageName(inbound.delivery.name)
        var message = inbound.delivery.rendered.message
        message?.name = inbound.delivery.name
        message?.sentTime = inbound.delivery.sent.milliseconds
        message?.fid = inbound.fid
        headers = Self.json { json in
            json.object { json in
                json.member("messageId", inbound.delivery.name)
                if inbound.platform == .ios, let token = message?.liveActivityToken {
                    json.member("liveActivityToken", token)
                }
            }
        }
        payload = Self.json { json in
            guard let message else { return json.null() }
            switch inbound.platform {
            case .android: message.writeAndroid(app: app, to: &json)
            case .ios: fidPlace = message.writeAppleLocatingFID(to: &json)
            case .web: message.writeWeb(to: &json)
            }
        }
    }

    /// Replaces the installation id in `payload` with that of another iPhone.
    private mutating func replaceFID(with fid: String) {
        guard let place = fidPlace, fid != self.fid else { return }
        var json = JSONWriter()
        json.string(fid)
        let text = json.finish()
        payload.replaceSubrange(place, with: text)
        fidPlace = place.lowerBound..<place.lowerBound + text.count
        self.fid = fid
        version += 1
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.finish()
    }

    private static let apnsPrefix = Array("apns-".utf8)

    /// Writes the `apns-` headers. The provider token is secret and is left out.
    private static func writeHeaders(of request: Request, to json: inout JSONWriter) {
        let bytes = request.headers.storage.span
        for place in request.headers.places {
            let name = bytes.extracting(place.name)
            guard name.starts(with: apnsPrefix) else { continue }
            json.key(name.text)
            json.string(utf8: bytes.extracting(place.value))
        }
    }

    /// The body if it is JSON, otherwise null.
    private static func payload(of request: Request) -> [UInt8] {
        json { json in
            if let document = try? JSONDocument(parsing: request.body) {
                json.value(document.root)
            } else {
                json.null()
            }
        }
    }
}
