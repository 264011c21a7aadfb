import HTTPCore
import PushCore
import Testing

@testable import APNs

/// What the log and the list of messages say about a refused push: the wrong value, its place, and what would be right.
@Suite struct RefusalCauseTests {
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let place: String
        let change: @Sendable (inout PushSample) -> Void

        init(_ cause: String, at place: String, _ change: @escaping @Sendable (inout PushSample) -> Void) {
            description = cause
            self.place = place
            self.change = change
        }

        /// A row about one header field.
        init(_ name: String, _ value: String, _ cause: String) {
            self.init(cause, at: "headers/\(name)") { $0.more.append((name, value)) }
        }
    }

    static let fields = [
        Row("The method is GET, not POST.", at: "headers/:method") { $0.method = "GET" },
        Row("The path is '/3/devices/00', not /3/device/ followed by the token.", at: "headers/:path") {
            $0.path = "/3/devices/00"
        },
        Row("The device token in the path '/3/device/a1/b2' contains a slash.", at: "headers/:path") {
            $0.path = "/3/device/a1/b2"
        },
        Row("apns-id", "x", "apns-id is 'x', which is not a UUID."),
        Row(
            "apns-expiration", "tomorrow",
            "apns-expiration is 'tomorrow', not a number of whole seconds with at most 19 digits."),
        Row("apns-priority", "7", "apns-priority '7' is not 10, 5 or 1."),
        Row("apns-priority", "\u{1b}[2J", #"apns-priority '\u001b[2J' is not 10, 5 or 1."#),
        Row(
            "apns-priority", String(repeating: "9", count: 70),
            "apns-priority '\(String(repeating: "9", count: 60))…' is not 10, 5 or 1."),
        Row(
            "apns-collapse-id", String(repeating: "c", count: 65),
            "apns-collapse-id has 65 bytes, but at most 64 are allowed."),
        Row(
            "apns-push-type", "foo",
            "apns-push-type is 'foo', which is unknown. The types are alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets."
        ),
        Row(
            "apns-push-type", "backgrund",
            "apns-push-type is 'backgrund', which is unknown. Did you mean 'background'? The types are alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets."
        ),
        Row("apns-topic is 'bad app!', and ' ' is not allowed in a topic.", at: "headers/apns-topic") {
            $0.topic = "bad app!"
        },
        Row("apns-topic has 256 bytes, but at most 255 are allowed.", at: "headers/apns-topic") {
            $0.topic = String(repeating: "t", count: 256)
        },
        Row("The body has 5001 bytes, but at most 4,096 are allowed, or 5,120 for voip pushes.", at: "") {
            $0.isOverLimit = true
            $0.more = [("content-length", "5001")]
        },
        Row("The request has the field 'apns-id' more than once.", at: "headers/apns-id") {
            $0.more = [("apns-id", APNsDialectTests.uuid), ("apns-id", APNsDialectTests.uuid)]
        },
        Row(
            "A push of the type liveactivity needs the topic com.example.app.push-type.liveactivity, but the topic is com.example.app.",
            at: "headers/apns-topic"
        ) { $0.more = [("apns-push-type", "liveactivity")] },
        Row(
            "A push of the type alert needs the topic com.example.app, but the topic com.example.app.voip is for pushes of the type voip.",
            at: "headers/apns-topic"
        ) {
            $0.topic = "com.example.app.voip"
            $0.more = [("apns-push-type", "alert")]
        },
    ]

    private static func token(_ cause: String, _ token: String) -> (String, String) { (cause, token) }

    private static let part = Base64URL.encode(Array("{}".utf8))

    static let tokens = [
        token("the token is not a JWT: it has 1 part instead of three, with dots between them", "foo"),
        token("the token is not a JWT: it has 2 parts instead of three, with dots between them", "a.b"),
        token("the token is not a JWT: its first part, the header, is not a JSON object in base64url", "!.\(part).AA"),
        token("the token is not a JWT: its second part, the claims, is not a JSON object in base64url", "\(part)..AA"),
        token(
            "the token is not a JWT: its third part, the signature, is empty or not base64url",
            PushSample.token(signature: [])),
        token(
            #"the token's alg is "HS256", but Apple accepts only ES256"#,
            PushSample.token(head: #"{"alg":"HS256","kid":"ABCDE12345"}"#)),
        token(
            "the token has no kid, the id of the key, in its header", PushSample.token(head: #"{"alg":"ES256"}"#)),
        token(
            #"the token's kid is "ABC", but the id of the key has ten letters and digits"#, PushSample.token(key: "ABC")
        ),
        token(
            "the token has no iss, the id of the team, in its claims", PushSample.token(claims: #"{"iat":1800000000}"#)),
        token(
            #"the token's iss is "com.example", but the id of the team has ten letters and digits"#,
            PushSample.token(team: "com.example")),
        token(
            "the token has no iat, the time at which it was signed, in its claims",
            PushSample.token(claims: #"{"iss":"TEAM567890"}"#)),
        token(
            #"the token's iat is "today", not a number of seconds since 1970"#,
            PushSample.token(claims: #"{"iss":"TEAM567890","iat":"today"}"#)),
    ]

    @Test(arguments: fields) func `a refusal names the wrong value and its place`(row: Row) {
        var (session, memo) = (APNsSession(), PushCheckCache())
        let request = PushSample(row.change).request
        var draft = APNsDraft(request.headers, in: .production)
        let refusal = APNsDialect(PushSample.policy(), verify: { $2 == [1] }).refusal(
            of: PushContext(request, at: PushSample.now), &draft, &session, &memo)
        let finding = draft.findings.first { $0.rule == refusal?.rule && $0.severity == .error }
        #expect(finding?.message == row.description)
        #expect(finding?.path == row.place)
        #expect(refusal?.sentence == row.description, "the log says the same")
    }

    @Test(arguments: tokens) func `a provider token that can't be read has its mistake named`(
        row: (cause: String, token: String)
    ) {
        let verdict = PushSample { $0.authorization = "bearer \(row.token)" }.verdict()
        #expect(verdict.reason == .invalidProviderToken)
        #expect(verdict.refusal?.sentence == row.cause)
    }

    @Test func `the cause of an earlier refusal is not repeated`() {
        var session = APNsSession()
        let first = PushSample { $0.authorization = "bearer foo" }.verdict(on: &session)
        #expect(first.refusal?.sentence.contains("not a JWT") == true)
        let second = PushSample { $0.authorization = nil }.verdict(on: &session)
        #expect(second.refusal?.sentence == APNsReason.missingProviderToken.meaning)
    }

    @Test func `a refused high priority is named with the option that refuses it`() {
        let sample = PushSample { $0.more = [("apns-push-type", "background"), ("apns-priority", "10")] }
        #expect(
            sample.verdict(PushSample.policy { $0.backgroundPriority = .reject }).refusal?.sentence
                == "A push of the type background has the priority 10, which --background-priority reject refuses.")
    }
}
