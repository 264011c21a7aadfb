import PushCore
import Testing

@testable import APNs

@Suite struct CertificateAndDeviceTests {
    static let app = "com.example.app"
    static let one = ProviderCertificate(topics: [], defaultTopic: app, environments: [.production])
    static let many = ProviderCertificate(
        topics: [app, app + ".voip", app + ".location-query"], defaultTopic: app, environments: [])

    static let rows: [(String, ProviderCertificate, String?, String?, APNsReason?)] = [
        ("its only topic may be omitted", one, nil, nil, nil), ("its only topic", one, app, nil, nil),
        ("a provider token in addition is ignored", one, app, "bearer nonsense", nil),
        ("another topic", one, "com.example.other", nil, .topicDisallowed),
        ("a suffix it does not list", one, app + ".voip", nil, .topicDisallowed),
        ("several topics and no apns-topic", many, nil, nil, .missingTopic),
        ("one of several", many, app + ".voip", nil, nil),
        ("one that is not listed", many, app + ".complication", nil, .topicDisallowed),
        ("a location topic, which needs a provider token", many, app + ".location-query", nil, .topicDisallowed),
    ]

    @Test(arguments: rows)
    func `a certificate allows its topics`(
        row: (name: String, certificate: ProviderCertificate, topic: String?, field: String?, reason: APNsReason?)
    ) {
        let sample = PushSample {
            $0.topic = row.topic
            $0.authorization = row.field
        }
        let verdict = sample.verdict(certificate: row.certificate)
        #expect(verdict.reason == row.reason)
        if row.reason == nil { #expect(verdict.app == Self.app) }
    }

    @Test func `a missing topic says which topics the certificate has`() {
        let sample = PushSample { $0.topic = nil }
        #expect(
            sample.verdict(certificate: Self.many).refusal?.sentence
                == "apns-topic is missing, and the client certificate is for 3 topics: \(Self.app), \(Self.app).voip, "
                + "\(Self.app).location-query")
        #expect(
            sample.verdict().refusal?.sentence
                == "apns-topic is missing, and the client has no certificate that names one")
        let empty = ProviderCertificate(topics: [], defaultTopic: nil, environments: [])
        #expect(sample.verdict(certificate: empty).refusal?.sentence.hasSuffix("names no topic") == true)
    }

    private func binding(
        app: String = app, environment: PushEnvironment = .production, kind: TokenBinding.Kind = .app,
        dead: Timestamp? = nil
    ) -> TokenBinding {
        TokenBinding(slot: 0, app: app, environment: environment, kind: kind, unregistered: dead)
    }

    @Test func `a device accepts pushes for its app in its environment`() {
        #expect(PushSample().verdict(binding: binding()).reason == nil)
        #expect(PushSample().verdict(binding: binding(app: "com.example.other")).reason == .deviceTokenNotForTopic)
        #expect(PushSample().verdict(binding: binding(environment: .sandbox)).reason == .badDeviceToken)
        let voip = PushSample { $0.topic = Self.app + ".voip" }
        #expect(voip.verdict(binding: binding()).reason == .deviceTokenNotForTopic)
        #expect(voip.verdict(binding: binding(kind: .any)).reason == nil)
        #expect(voip.verdict(binding: binding(kind: .liveActivity)).reason == .deviceTokenNotForTopic)
        #expect(PushSample().verdict(binding: binding(kind: .liveActivity)).reason == .deviceTokenNotForTopic)
    }

    @Test func `an unknown device token is accepted or refused, depending on the policy`() {
        #expect(PushSample().verdict().reason == nil)
        #expect(PushSample().verdict(PushSample.policy { $0.acceptsUnknownDevices = false }).reason == .badDeviceToken)
    }

    private func sentence(_ verdict: Verdict) -> String? {
        // The journal says it too.
        #expect(verdict.findings == [verdict.refusal?.rule.description])
        return verdict.refusal?.sentence
    }

    @Test(arguments: [
        (
            "zz",
            "The device token is not 64 to 200 hex digits: it has 2 characters, and not all of them are hex digits."
        ),
        ("ab", "The device token is not 64 to 200 hex digits: it has 2 characters."),
        (
            String(repeating: "g", count: 64),
            "The device token is not 64 to 200 hex digits: it has 64 characters, and not all of them are hex digits."
        ),
        (String(repeating: "a", count: 65), "The device token has 65 hex digits, but their number must be even."),
        (
            String(repeating: "a", count: 202),
            "The device token is not 64 to 200 hex digits: it has 202 characters."
        ),
    ]) func `a malformed device token is described`(token: String, text: String) {
        #expect(sentence(PushSample { $0.path = "/3/device/\(token)" }.verdict()) == text)
    }

    @Test func `a token that is unknown or of the other environment is called so`() {
        let strict = PushSample.policy { $0.acceptsUnknownDevices = false }
        #expect(
            sentence(PushSample().verdict(strict))
                == "The device token is unknown, and --unknown-devices reject refuses unknown tokens.")
        #expect(
            sentence(PushSample().verdict(strict, binding: binding(environment: .sandbox)))
                == "The device token is for the sandbox environment, but the push was sent to the production environment."
        )
    }

    @Test(arguments: [
        (TokenBinding.Kind.app, "com.example.other", ""), (.app, app + ".voip", ""),
        (.liveActivity, app, ".push-type.liveactivity"), (.other(.voip), app, ".voip"),
    ]) func `a wrong topic is named with the right one`(kind: TokenBinding.Kind, topic: String, suffix: String) {
        let verdict = PushSample { $0.topic = topic }.verdict(binding: binding(kind: kind))
        #expect(
            sentence(verdict)
                == "The device token is for the topic \(Self.app)\(suffix), but the push has the topic \(topic).")
    }

    @Test func `a push type without its topic names the topic`() {
        let verdict = PushSample { $0.more = [("apns-push-type", "voip")] }.verdict()
        #expect(
            sentence(verdict)
                == "A push of the type voip needs the topic \(Self.app).voip, but the topic is \(Self.app).")
    }

    @Test func `a topic that a certificate does not cover is named with the topics that it covers`() {
        let other = PushSample { $0.topic = "com.example.other" }
        #expect(
            sentence(other.verdict(certificate: Self.one))
                == "The client certificate is for the topic \(Self.app), but the push has the topic com.example.other.")
        let names = (0..<7).map { "t\($0)" }
        let many = ProviderCertificate(topics: names, defaultTopic: nil, environments: [])
        #expect(
            sentence(other.verdict(certificate: many))?.hasPrefix(
                "The client certificate is for the topics t0, t1, t2, t3, t4 and 2 more, but") == true)
        let location = PushSample { $0.topic = Self.app + ".location-query" }
        #expect(
            sentence(location.verdict(certificate: Self.many))
                == "A location push needs a provider token, but the client sent a certificate.")
    }

    @Test func `an unregistered token gives 410 with its time, but only if nothing else is wrong with the push`() {
        let died = PushSample.now + -5000
        let refusal = PushSample().verdict(binding: binding(dead: died)).refusal
        #expect(refusal?.reason == .unregistered)
        #expect(refusal?.unregistered == died)
        let bad = PushSample { $0.body = "[]" }
        #expect(bad.verdict(binding: binding(dead: died)).reason == .invalidPayload)
    }

    static let magic: [(String, APNsReason?)] = [
        ("dead0400", .badDeviceToken), ("DEAD0403", .forbidden), ("dead041000", .unregistered),
        ("dead0413", .payloadTooLarge),
        ("dead0429", .tooManyRequests), ("dead042901", .tooManyProviderTokenUpdates),
        ("dead0500", .internalServerError),
        ("dead0503", .serviceUnavailable), ("dead050301", .shutdown), ("dead040001", .badCollapseID),
        ("dead041001", .expiredToken), ("dead040099", .badDeviceToken), ("dead0404", .badPath),
        ("dead0405", .methodNotAllowed), ("dead0499", .badDeviceToken), ("dead", .badDeviceToken),
        ("dead0400" + String(repeating: "a", count: 56), .badDeviceToken),
        ("dead0999" + String(repeating: "a", count: 56), nil), ("deae0400" + String(repeating: "a", count: 56), nil),
    ]

    @Test(arguments: magic) func `a magic token asks for its refusal`(row: (token: String, reason: APNsReason?)) {
        #expect(PushSample { $0.path = "/3/device/\(row.token)" }.verdict().reason == row.reason)
    }

    @Test func `every reason for device pushes has a magic token`() {
        let wanted = Set(MagicToken.table.map(\.reason))
        let statuses: Set = [400, 403, 410, 413, 429, 500, 503]
        for reason in APNsReason.allCases where reason.appliesToDevicePushes && statuses.contains(reason.status) {
            #expect(wanted.contains(reason), "\(reason)")
        }
        #expect(MagicToken.table.count == wanted.count)
    }

    @Test(arguments: MagicToken.table.map(\.token)) func `each magic token in the table gives its reason`(token: String)
    {
        let wanted = MagicToken.table.first { $0.token == token }?.reason
        #expect(PushSample { $0.path = "/3/device/\(token)" }.verdict().reason == wanted)
    }
}
