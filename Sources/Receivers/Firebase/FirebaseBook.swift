internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// Firebase's installations, and its registrations of web apps: which token leads to which subscription.
package struct FirebaseBook {
    struct Installation {
        let app: String
        let refreshToken: String
    }

    /// By their ids.
    var installations: [String: Installation] = [:]
    /// By their tokens.
    var registrations: [String: FirebaseRegistration] = [:]
    /// Tokens of registrations, by the tokens of their subscriptions, and by the ids of their installations.
    var bySubscription: [String: String] = [:]
    var byInstallation: [String: String] = [:]
    private var random: Random
    var forgettingOrder = SecondChance<String>()
    /// Whether bytes are a point of the curve P-256, as a subscription's key has to be.
    let isPoint: @Sendable ([UInt8]) -> Bool
    /// What has happened since `RealReceivers.takeNews` took it.
    var news: [ReceiverNews] = []
    /// The records that have changed.
    var changed: Set<ReceiverRecord> = []

    static let most = 20_000
    /// Seconds: seven days.
    private static let lifetime: Int64 = 604_800

    init(seed: UInt64, isPoint: @escaping @Sendable ([UInt8]) -> Bool) {
        random = Random(seed: seed &+ 2)
        self.isPoint = isPoint
    }

    /// - Parameter knows: whether there is a subscription with this token.
    mutating func answer(_ request: Request, at now: Timestamp, knows: (String) -> Bool) -> Response {
        guard let call = FirebaseCall(request) else { return FirebaseError.notFound.response }
        // Any key will do, in the field or in the query, where Google takes it too.
        guard call.hasKey else { return FirebaseError.noKey.response }
        do throws(FirebaseError) {
            switch call.target {
            case .installations: return try install(call, at: now)
            case .installation(let fid): return try uninstall(fid, call)
            case .newAuthToken(let fid): return try renew(fid, call, at: now)
            case .registrations: return try register(call, at: now, replacing: nil, knows)
            case .registration(let token) where request.method == .patch:
                guard registrations[token] != nil else { throw .notFound }
                return try register(call, at: now, replacing: token, knows)
            case .registration(let token): return try unregister(token, call, at: now)
            }
        } catch { return error.response }
    }

    // MARK: Installations

    private mutating func install(_ call: FirebaseCall, at now: Timestamp) throws(FirebaseError) -> Response {
        guard let app = call.text("appId"), !app.isEmpty, let given = call.text("fid") else { throw .invalid }
        // Some clients send standard base64 with padding. They get back what they sent.
        let fid = given.isEmpty ? newID() : given
        if installations[fid] == nil, installations.count >= Self.most { forgetOldest() }
        let known = installations[fid].flatMap { $0.app == app ? $0 : nil }
        let installation = known ?? Installation(app: app, refreshToken: "3_AS3" + random.text(120))
        restore(installation, fid)
        changed.insert(ReceiverRecord(.installation, fid))
        let token = authToken(fid, installation, at: now)
        return FirebaseCall.answer { json in
            json.member("name", "projects/\(Self.projectNumber)/installations/\(fid)")
            json.member("fid", fid)
            json.member("refreshToken", installation.refreshToken)
            json.key("authToken")
            json.object { json in
                json.member("token", token)
                json.member("expiresIn", "\(Self.lifetime)s")
            }
        }
    }

    private mutating func renew(_ fid: String, _ call: FirebaseCall, at now: Timestamp) throws(FirebaseError)
        -> Response
    {
        let installation = try authorized(fid, call)
        let token = authToken(fid, installation, at: now)
        return FirebaseCall.answer { json in
            json.member("token", token)
            json.member("expiresIn", "\(Self.lifetime)s")
        }
    }

    private mutating func uninstall(_ fid: String, _ call: FirebaseCall) throws(FirebaseError) -> Response {
        _ = try authorized(fid, call)
        forget(installation: fid)
        return FirebaseCall.answer { _ in }
    }

    mutating func restore(_ installation: Installation, _ fid: String) {
        if installations[fid] == nil { forgettingOrder.place(fid, hasRegistrations: false) }
        installations[fid] = installation
    }

    private mutating func forget(installation fid: String) {
        if let token = byInstallation[fid] { _ = forget(token) }
        installations[fid] = nil
        forgettingOrder.remove(fid)
        changed.insert(ReceiverRecord(.installation, fid))
    }

    /// Forgets the oldest installation, preferably one without a registration.
    private mutating func forgetOldest() {
        if let found = forgettingOrder.next(isConnected: { _ in false }) { forget(installation: found) }
    }

    private func authorized(_ fid: String, _ call: FirebaseCall) throws(FirebaseError) -> Installation {
        guard let installation = installations[fid] else { throw .notFound }
        guard call.field("authorization") == "FIS_v2 \(installation.refreshToken)" else { throw .unauthenticated }
        return installation
    }

    /// A JWT like Google's. Clients read it and do not check its signature.
    private func authToken(_ fid: String, _ installation: Installation, at now: Timestamp) -> String {
        var claims = JSONWriter()
        claims.object { json in
            json.member("appId", installation.app)
            json.member("exp", now.seconds + Self.lifetime)
            json.member("fid", fid)
            json.member("projectNumber", Self.projectNumber)
        }
        let head = Base64URL.encode(#"{"alg":"ES256","typ":"JWT"}"#.utf8)
        let text = "\(head).\(Base64URL.encode(claims.finish()))"
        return "\(text).\(Self.signature(of: text, installation))"
    }

    /// The last part of an auth token. Only someone who knows the installation's refresh token can make it.
    static func signature(of text: String, _ installation: Installation) -> String {
        // FNV-1a
        var seed: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(text.utf8) + installation.refreshToken.utf8 {
            seed = (seed ^ UInt64(truncatingIfNeeded: byte)) &* 0x100_0000_01B3
        }
        var random = Random(seed: seed)
        return random.text(100)
    }

    /// The gateway uses the same number for all projects.
    private static let projectNumber: Int64 = 900_000_000_000

    // MARK: Random texts

    /// It begins with the id of the installation, if that is one of the usual form.
    mutating func newToken(_ installation: String) -> String {
        let isUsual = installation.utf8.count == 22 && Base64URL.decode(installation.utf8 + [0x41, 0x41]) != nil
        return "\(isUsual ? installation : newID()):APA91b\(random.text(134))"
    }

    /// 22 characters, of which the first is c, d, e or f.
    private mutating func newID() -> String {
        var bytes = (0..<17).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        bytes[0] = 0x70 | bytes[0] & 0x0F
        return String(Base64URL.encode(bytes).prefix(22))
    }
}
