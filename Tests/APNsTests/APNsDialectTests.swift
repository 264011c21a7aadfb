// Over 200 lines: one table with a row for each check.
import HTTPCore
import PushCore
import Testing

@testable import APNs

/// The fields, reasons and checks of device pushes (docs/evidence/apns.md §2 to §5), one row for each case.
@Suite struct APNsDialectTests {
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let reason: APNsReason?
        let change: @Sendable (inout PushSample) -> Void

        init(_ description: String, _ reason: APNsReason?, _ change: @escaping @Sendable (inout PushSample) -> Void) {
            self.description = description
            self.reason = reason
            self.change = change
        }

        /// A row that adds one header field.
        init(_ name: String, _ value: String, _ reason: APNsReason?) {
            self.init("\(name): \(value.prefix(80))", reason) { $0.more.append((name, value)) }
        }
    }

    static let uuid = "eabeae54-14a8-11e5-b60b-1697f925ec7b"

    static let requests = [
        Row("a good push", nil) { _ in },
        Row("GET", .methodNotAllowed) { $0.method = "GET" },
        Row("an unknown method", .methodNotAllowed) { $0.method = "PUSH" },
        Row("HEAD of another path, without a token", .methodNotAllowed) {
            $0 = PushSample {
                $0.method = "HEAD"
                $0.path = "/"
                $0.authorization = nil
            }
        },
        Row("another path", .badPath) { $0.path = "/3/devices/00" },
        Row("a path in capitals", .badPath) { $0.path = "/3/DEVICE/00" },
        Row("another version", .badPath) { $0.path = "/2/device/00" },
        Row("a path below the token", .badPath) { $0.path += "/x" },
        Row("a path that ends in a slash", .badPath) { $0.path += "/" },
        Row("another path, without a token", .badPath) {
            $0.path = "/3/x"
            $0.authorization = nil
        },
        Row("a query", nil) { $0.path += "?a=b/c" },
        Row("no device token", .missingDeviceToken) { $0.path = "/3/device/" },
        Row("no device token and a query", .missingDeviceToken) { $0.path = "/3/device/?a" },
        Row("no device token and a bad topic", .missingDeviceToken) {
            $0.path = "/3/device/"
            $0.topic = "a b"
        },
        Row("a short device token", .badDeviceToken) { $0.path = "/3/device/aaaa" },
        Row("62 digits", .badDeviceToken) { $0.path = "/3/device/" + String(repeating: "a", count: 62) },
        Row("an odd number of digits", .badDeviceToken) { $0.path += "a" },
        Row("a device token that is not hexadecimal", .badDeviceToken) { $0.path += "zz" },
        Row("160 digits, as in tokens of Live Activities", nil) {
            $0.path = "/3/device/" + String(repeating: "aB", count: 80)
        },
        Row("200 digits", nil) { $0.path = "/3/device/" + String(repeating: "0", count: 200) },
        Row("202 digits", .badDeviceToken) { $0.path = "/3/device/" + String(repeating: "0", count: 202) },
        Row("an empty body", .payloadEmpty) { $0.body = "" },
        Row("a body over its limit", .payloadTooLarge) { $0.isOverLimit = true },
        Row("a body over its limit that was not stored", .payloadTooLarge) {
            $0.body = ""
            $0.isOverLimit = true
        },
        Row("an empty object", nil) { $0.body = "{}" },
    ]

    static let fields = [
        Row("apns-id", uuid, nil), Row("apns-id", uuid.uppercased(), nil), Row("apns-id", "x", .badMessageID),
        Row("apns-id", "", .badMessageID), Row("apns-id", uuid + "0", .badMessageID),
        Row("apns-id", String(uuid.dropLast()) + "g", .badMessageID),
        Row("apns-id", uuid.replacing("-", with: "0"), .badMessageID),
        Row("apns-id", "{\(uuid)}", .badMessageID),
        Row("apns-expiration", "0", nil), Row("apns-expiration", "1", nil), Row("apns-expiration", "1900000000", nil),
        Row("apns-expiration", "9223372036854775807", nil), Row("apns-expiration", "", .badExpirationDate),
        Row("apns-expiration", "-1", .badExpirationDate), Row("apns-expiration", "1.5", .badExpirationDate),
        Row("apns-expiration", "soon", .badExpirationDate), Row("apns-expiration", " 1", .badExpirationDate),
        Row("apns-expiration", "99999999999999999999", .badExpirationDate),
        Row("apns-priority", "10", nil), Row("apns-priority", "5", nil), Row("apns-priority", "1", nil),
        Row("apns-priority", "", .badPriority), Row("apns-priority", "0", .badPriority),
        Row("apns-priority", "11", .badPriority), Row("apns-priority", "010", .badPriority),
        Row("apns-priority", "high", .badPriority), Row("apns-priority", "-5", .badPriority),
        Row("apns-collapse-id", "", nil), Row("apns-collapse-id", String(repeating: "c", count: 64), nil),
        Row("apns-collapse-id", String(repeating: "c", count: 65), .badCollapseID),
        Row("apns-collapse-id", String(repeating: "é", count: 33), .badCollapseID),
        Row("apns-push-type", "", .invalidPushType), Row("apns-push-type", "Alert", .invalidPushType),
        Row("apns-push-type", "alerts", .invalidPushType), Row("apns-push-type", "silent", .invalidPushType),
        Row("x-anything", "at all", nil), Row("content-type", "application/x-www-form-urlencoded", nil),
        Row("apns-something", "else", nil),
        Row("apns-id twice", .duplicateHeaders) { $0.more = [("apns-id", uuid), ("apns-id", uuid)] },
        Row("apns-topic twice", .duplicateHeaders) { $0.more = [("apns-topic", "com.example.app")] },
        Row("authorization twice", .duplicateHeaders) { $0.more = [("authorization", "bearer x")] },
        Row("an unknown apns- field twice", .duplicateHeaders) {
            $0.more = [("apns-x", "1"), ("apns-y", "1"), ("apns-x", "2")]
        },
        Row("another field twice", nil) { $0.more = [("accept", "a"), ("accept", "b")] },
    ]

    static let topics = [
        Row("no topic", .missingTopic) { $0.topic = nil }, Row("an empty topic", .missingTopic) { $0.topic = "" },
        Row("a topic with a space", .badTopic) { $0.topic = "com.example app" },
        Row("a topic with a slash", .badTopic) { $0.topic = "com/example" },
        Row("a topic with a letter that bundle ids can't have", .badTopic) { $0.topic = "com.exämple" },
        Row("255 bytes", nil) { $0.topic = String(repeating: "t", count: 255) },
        Row("256 bytes", .badTopic) { $0.topic = String(repeating: "t", count: 256) },
        Row("a pass", nil) {
            $0.topic = "pass.com.example.card"
            $0.body = "{}"
        },
        Row("a website", nil) { $0.topic = "web.com.example" },
    ]

    /// Each push type with three topics: with its own suffix, without a suffix, and with the suffix of another type.
    static let types: [Row] = APNsPushType.allCases.flatMap { type -> [Row] in
        let isPlain = type.suffix.isEmpty
        let body = type == .liveactivity ? #"{"aps":{"event":"end","timestamp":1}}"# : "{}"
        func row(_ suffix: String, _ reason: APNsReason?) -> Row {
            Row("\(type.rawValue) to com.example.app\(suffix)", reason) {
                $0.topic = "com.example.app" + suffix
                $0.more = [("apns-push-type", type.rawValue)]
                $0.body = body
            }
        }
        let plain: APNsReason? = isPlain ? nil : type == .voip ? .deviceTokenNotForTopic : .invalidPushType
        return [
            row(type.suffix, nil), row("", plain),
            row(type == .voip ? ".complication" : ".voip", .invalidPushType),
        ]
    }

    /// A push with two faults is refused for the one that is checked first.
    static let orders = [
        Row("a missing provider token before a bad id", .missingProviderToken) {
            $0.authorization = nil
            $0.more = [("apns-id", "x")]
        },
        Row("auth before everything else", .missingProviderToken) {
            $0 = PushSample {
                $0.path = "/3/device/zz"
                $0.authorization = nil
                $0.topic = nil
                $0.body = ""
            }
        },
        Row("a bad id before a bad date", .badMessageID) { $0.more = [("apns-expiration", "x"), ("apns-id", "x")] },
        Row("a bad date before a bad priority", .badExpirationDate) {
            $0.more = [("apns-priority", "x"), ("apns-expiration", "x")]
        },
        Row("a bad priority before a long id", .badPriority) {
            $0.more = [("apns-collapse-id", String(repeating: "c", count: 80)), ("apns-priority", "x")]
        },
        Row("a bad type before a missing topic", .invalidPushType) {
            $0.more = [("apns-push-type", "x")]
            $0.topic = nil
        },
        Row("a missing topic before an empty body", .missingTopic) {
            $0.topic = nil
            $0.body = ""
        },
        Row("an empty body before a bad device token", .payloadEmpty) {
            $0.path = "/3/device/zz"
            $0.body = ""
        },
        Row("a bad device token before a type that does not match the topic", .badDeviceToken) {
            $0.path = "/3/device/zz"
            $0.more = [("apns-push-type", "widgets")]
        },
        Row("a type that does not match the topic before a bad payload", .invalidPushType) {
            $0.body = "x"
            $0.more = [("apns-push-type", "widgets")]
        },
    ]

    @Test(arguments: requests + fields + topics + types + orders)
    func `a push is refused by the first check that fails`(row: Row) {
        let verdict = PushSample(row.change).verdict()
        #expect(verdict.reason == row.reason, "\(verdict)")
    }

    @Test func `a policy can change the order of the checks`() {
        let sample = PushSample {
            $0.authorization = nil
            $0.topic = nil
        }
        #expect(sample.verdict().reason == .missingProviderToken)
        let policy = PushSample.policy { $0.checks = [.missingTopic] + APNsCheck.standardOrder }
        #expect(sample.verdict(policy).reason == .missingTopic)
    }

    @Test func `the app is the topic without its suffix`() {
        for suffix in APNsPushType.allCases.map(\.suffix) {
            #expect(
                PushSample {
                    $0.topic = "com.example.app\(suffix)"
                    $0.body = "{}"
                }.verdict().app == "com.example.app")
        }
        #expect(PushSample { $0.topic = ".voip" }.verdict().app == ".voip")
    }

    @Test func `the answer returns the request's id unchanged, or a generated id in capitals`() {
        var random = Random(seed: 7)
        let ids = IDGenerator(using: &random)
        let dialect = APNsDialect(APNsPolicy(), verify: PushSample.refusesSignatures)
        let echoed = dialect.answerHeaders(suppliedID: Array(Self.uuid.utf8)[...], PushID(1), in: .production, ids)
        #expect(echoed.first(.apnsID)?.elementsEqual(Self.uuid.utf8) == true)
        #expect(echoed.count == 1)
        let generated = dialect.answerHeaders(suppliedID: nil, PushID(1), in: .sandbox, ids)
        #expect(generated.first(.apnsID)?.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } == false)
        let unique = generated.first(HeaderName("apns-unique-id")) ?? []
        #expect(unique.count == 36)
        #expect(!unique.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
    }

    @Test func `an error body is compact JSON with the reason, and there are no other header fields`() {
        func body(_ refusal: APNsRefusal, _ policy: APNsPolicy = APNsPolicy()) -> String {
            let answer = APNsDialect(policy, verify: PushSample.refusesSignatures).answer(
                refusal, headers: HeaderBlock([.apnsID: "X"]))
            #expect(answer.status == refusal.reason.status)
            #expect(answer.headers.count == 1)
            guard case .bytes(let bytes) = answer.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        func refusal(_ reason: APNsReason, _ moment: Timestamp? = nil) -> APNsRefusal {
            APNsRefusal(reason: reason, unregistered: moment)
        }
        for reason in APNsReason.allCases {
            #expect(body(refusal(reason)) == #"{"reason":"\#(reason.word)"}"#)
        }
        #expect(body(refusal(.unregistered, PushSample.now)) == #"{"reason":"Unregistered","timestamp":1800000000000}"#)
        let documented = PushSample.policy { $0.usesDocumentedSpelling = true }
        #expect(body(refusal(.badEnvironmentKeyInToken), documented) == #"{"reason":"BadEnvironmentKeyIdInToken"}"#)
        #expect(body(refusal(.broadcastFeatureNotEnabled), documented) == #"{"reason":"FeatureNotEnabled"}"#)
    }
}
