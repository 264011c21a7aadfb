import JSON
import Testing

@testable import FCM

/// Conversion errors with Google's texts (docs/evidence/fcm.md §2.3): quoted ones first, then those from protobuf's source.
@Suite struct ProtoCheckTests {
    private func violations(_ text: String) throws -> [ProtoCheck.Violation] {
        let document = try JSONDocument(parsing: Array(text.utf8), dialect: .google)
        return ProtoCheck(document, as: .sendMessageRequest).violations
    }

    private static let unknown = "Invalid JSON payload received. Unknown name"

    static let rows: [(body: String, field: String?, description: String)] = [
        (#"{"message":{"key":1}}"#, "message", #"\#(unknown) "key" at 'message': Cannot find field."#),
        (#"{"message":{"tokens":["a"]}}"#, "message", #"\#(unknown) "tokens" at 'message': Cannot find field."#),
        (#"{"message":{"toen":{"deep":[1]}}}"#, "message", #"\#(unknown) "toen" at 'message': Cannot find field."#),
        (
            #"{"message":{"fcm_options":{"link":"x"}}}"#, "message.fcm_options",
            #"\#(unknown) "link" at 'message.fcm_options': Cannot find field."#
        ),
        (#"{"to":"x"}"#, nil, #"\#(unknown) "to": Cannot find field."#),
        (
            #"{"message":{"data":{"a":{"content-available":1}}}}"#, "message.data[0].value",
            #"\#(unknown) "content-available" at 'message.data[0].value': Cannot find field."#
        ),
        (
            #"{"message":{"android":{"data":{"a":"1","b":"2","message-count":1}}}}"#, "message.android.data[2].value",
            "Invalid value at 'message.android.data[2].value' (TYPE_STRING), 1"
        ),
        (
            #"{"message":{"data":{"a":"x","b":21465}}}"#, "message.data[1].value",
            "Invalid value at 'message.data[1].value' (TYPE_STRING), 21465"
        ),
        (
            #"{"message":{"data":{"a":true}}}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (TYPE_STRING), true"
        ),
        (
            #"{"message":{"notification":[]}}"#, "message",
            #"\#(unknown) "notification" at 'message': Proto field is not repeating, cannot start list."#
        ),
        (
            #"{"message":{"notification":{"title":["x"]}}}"#, "message.notification",
            #"\#(unknown) "title" at 'message.notification': Proto field is not repeating, cannot start list."#
        ),
        (
            #"{"message":{"data":{"a":["x"]}}}"#, "message.data[0].value",
            "Invalid value at 'message.data[0].value' (Map), Cannot have repeated items ('a') within a map."
        ),
        (
            #"{"message":{"data":[]}}"#, "message",
            "Invalid value at 'message' (Map), Cannot bind a list to map for field 'data'."
        ),
        (
            #"{"message":{"notification":{"title":{}}}}"#, "message.notification",
            #"\#(unknown) "title" at 'message.notification': Starting an object on a scalar field"#
        ),
        (
            #"{"message":{"notification":{"title":7}}}"#, "message.notification.title",
            "Invalid value at 'message.notification.title' (TYPE_STRING), 7"
        ),
        (
            #"{"message":{"notification":"x"}}"#, "message.notification",
            #"Invalid value at 'message.notification' (type.googleapis.com/google.firebase.fcm.v1.Notification), "x""#
        ),
        (
            #"{"message":{"token":"a","topic":"b"}}"#, "message",
            "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
        ),
        (
            #"{"message":{"android":{"ttl":"3600"}}}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Illegal duration format; duration must end with 's'"
        ),
        (
            #"{"message":{"android":{"ttl":5}}}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid data type for duration, value is 5"
        ),
        (
            #"{"message":{"android":{"ttl":"xs"}}}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse seconds"
        ),
        (
            #"{"message":{"android":{"ttl":"1.1234567890s"}}}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Invalid duration format, failed to parse nano seconds"
        ),
        (
            #"{"message":{"android":{"ttl":"999999999999s"}}}"#, "message.android.ttl",
            "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Duration value exceeds limits"
        ),
        (
            #"{"message":{"android":{"priority":"foo"}}}"#, "message.android.priority",
            #"Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm.v1.AndroidConfig.AndroidMessagePriority), "foo""#
        ),
        (
            #"{"message":{"android":{"notification":{"event_time":"noon"}}}}"#,
            "message.android.notification.event_time",
            "Invalid value at 'message.android.notification.event_time' (type.googleapis.com/google.protobuf.Timestamp), Field 'eventTime', Invalid time format: noon"
        ),
        (
            #"{"message":{"android":{"notification":{"body_loc_args":["a",5]}}}}"#,
            "message.android.notification.body_loc_args[1]",
            "Invalid value at 'message.android.notification.body_loc_args[1]' (TYPE_STRING), 5"
        ),
        (
            #"{"message":{"android":{"notification":{"notification_count":1.5}}}}"#,
            "message.android.notification.notification_count",
            "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 1.5"
        ),
        (
            #"{"message":{"android":{"direct_boot_ok":"yes"}}}"#, "message.android.direct_boot_ok",
            #"Invalid value at 'message.android.direct_boot_ok' (TYPE_BOOL), "yes""#
        ),
        (#"{"validate_only":2}"#, "validate_only", "Invalid value at 'validate_only' (TYPE_BOOL), 2"),
        ("[]", nil, #"\#(unknown) "": Root element must be a message."#),
    ]

    @Test(arguments: rows)
    func `a conversion error has Google's text`(row: (body: String, field: String?, description: String)) throws {
        #expect(try violations(row.body) == [ProtoCheck.Violation(field: row.field, description: row.description)])
    }

    @Test func `several conversion errors are reported in the order of the body`() throws {
        let found = try violations(
            #"{"message":{"notification":{"icon":"a","badge":1,"title":"t","tag":"x","clickAction":"y"}}}"#)
        #expect(found.map(\.field) == Array(repeating: "message.notification", count: 4))
        #expect(
            found.map { String($0.description.split(separator: "\"")[1]) } == ["icon", "badge", "tag", "clickAction"])
    }

    @Test(arguments: [
        #"{"message":{"token":"a"},"validateOnly":true}"#, #"{"message":{"topic":"a"},"validate_only":"false"}"#,
        #"{"message":{"fcmOptions":{"analytics_label":"x"},"android":{"collapse_key":"a","collapseKey":"b"}}}"#,
        #"{"message":{"token":null,"topic":"x","data":null,"notification":null}}"#,
        #"{"message":{"data":{"a":null,"b":"c"}}}"#,
        #"{"message":{"android":{"priority":"high","ttl":"3.5s"}}}"#, #"{"message":{"android":{"priority":1}}}"#,
        #"{"message":{"android":{"priority":"1","notification":{"visibility":"private","proxy":"if-priority-lowered"}}}}"#,
        #"{"message":{"android":{"notification":{"notificationCount":"7","bodyLocArgs":"one","sticky":"true","eventTime":"2026-11-21T10:00:00Z"}}}}"#,
        #"{"message":{"android":{"notification":{"vibrate_timings":["1s","0.5s"],"light_settings":{"color":{"red":1,"green":"0.5"},"light_on_duration":"1s"}}}}}"#,
        #"{"message":{"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":[1,{"a":null}]},"x":1}}}}"#,
        #"{"message":{"webpush":{"headers":{"TTL":"5"},"notification":{"any":[1,2]},"fcm_options":{"link":"https://x"}}}}"#,
        #"{'message':{token:'a',data:{k:'v',},},}"#, "{}", #"{"message":{"name":"ignored"}}"#,
    ]) func `a body that Google accepts has no conversion error`(body: String) throws {
        #expect(try violations(body) == [])
    }

    @Test func `at most a thousand of ten thousand errors are reported`() throws {
        let entries = (0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try violations("{\"message\":{\"data\":{\(entries)}}}").count == 1000)
    }

    static let texts: [(String, String, String)] = [
        (#"{"a":}"#, "Expected a value.", #"{"a":}"# + "\n     ^"),
        (#"{"a":#}"#, "Unexpected token.", #"{"a":#}"# + "\n     ^"),
        (#"{"a""#, "Unexpected end of string. Expected : between key:value pair.", #"{"a""# + "\n    ^"),
        (#"{"a" 1}"#, "Expected : between key:value pair.", #"{"a" 1}"# + "\n     ^"),
        (#"{"a":1 "b"}"#, "Expected , or } after key:value pair.", #"{"a":1 "b"}"# + "\n       ^"),
        ("[1 2]", "Expected , or ] after array value.", "[1 2]\n   ^"),
        ("{1:2}", "Expected an object key or }.", "{1:2}\n ^"),
        ("{} {}", "Parsing terminated before end of input.", "{} {}\n   ^"),
        ("[012]", "Octal/hex numbers are not valid JSON values.", "[012]\n ^"),
        ("[0x1]", "Octal/hex numbers are not valid JSON values.", "[0x1]\n ^"),
        ("[1.2.3]", "Unable to parse number.", "[1.2.3]\n ^"), ("[nope]", "Expected a value.", "[nope]\n ^"),
        (#"{"a":"b"#, "Closing quote expected in string.", #"{"a":"b"# + "\n       ^"),
        (#"["\x"]"#, "Invalid escape sequence.", #"["\x"]"# + "\n   ^"),
        (#"["\u12g4"]"#, "Illegal hex string.", #"["\u12g4"]"# + "\n      ^"),
        ("", "Unexpected end of string. Expected a value.", "\n^"),
        (
            #"{"0123456789012345678901234567890":1 x 0123456789012345678901234567890"#,
            "Expected , or } after key:value pair.",
            "5678901234567890\":1 x 012345678901234567\n" + String(repeating: " ", count: 20) + "^"
        ),
    ]

    @Test(arguments: texts)
    func `a JSON error shows the text around it`(text: String, reason: String, context: String)
        throws
    {
        let error = #expect(throws: JSONError.self) {
            _ = try JSONDocument(parsing: Array(text.utf8), dialect: .google)
        }
        let message = GoogleJSONFault.text(try #require(error), in: Array(text.utf8))
        #expect(message == "Invalid JSON payload received. \(reason)\n\(context)")
    }
}
