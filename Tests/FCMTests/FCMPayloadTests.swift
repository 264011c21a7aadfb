import JSON
import PushCore
import Testing

@testable import FCM

/// A message as apps on Android, iPhones and in browsers receive it.
@Suite struct FCMPayloadTests {
    private func payload(_ message: String, adds: Bool = false) throws -> FCMPayload {
        var payload = try #require(FCMPayload(Array(#"{"message":\#(message)}"#.utf8), addsMutableContent: adds))
        payload.name = "0:1%2"
        payload.sentTime = 7
        payload.fid = "F"
        return payload
    }

    private func android(_ message: String) throws -> JSONValue {
        let payload = try payload(message)
        return try JSONValue(FCMCase.document(FCMCase.text { payload.writeAndroid(app: "app", to: &$0) }).root)
    }

    private func apple(_ message: String, adds: Bool = false) throws -> JSONValue {
        let payload = try payload(message, adds: adds)
        return try JSONValue(FCMCase.document(FCMCase.text { payload.writeApple(to: &$0) }).root)
    }

    private func web(_ message: String) throws -> JSONValue {
        let payload = try payload(message)
        return try JSONValue(FCMCase.document(FCMCase.text { payload.writeWeb(to: &$0) }).root)
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(FCMCase.document(text).root) }

    @Test(arguments: ["", "{", "[]", "{}", #"{"message":1}"#, #"{"message":{"x":1}}"#])
    func `a body that is not a message has no payload`(body: String) {
        #expect(FCMPayload(Array(body.utf8)) == nil)
    }

    @Test func `a data message to Android has its data and the SDK's extras`() throws {
        let found = try android(
            #"{"topic":"news","data":{"a":"b","google.x":"1","gcm.y":"2"},"android":{"ttl":"60s","collapse_key":"k","priority":"high"},"fcm_options":{"analytics_label":"L"}}"#
        )
        #expect(
            try found
                == json(
                    """
                    {"from":"/topics/news","messageId":"0:1%2","collapseKey":"k","sentTime":7,"ttl":60,
                    "originalPriority":"high","priority":"high","data":{"a":"b"},"extras":{"a":"b","google.x":"1",
                    "gcm.y":"2","from":"/topics/news","google.message_id":"0:1%2","google.sent_time":7,
                    "google.ttl":60,"google.original_priority":"high","google.delivered_priority":"high",
                    "google.c.sender.id":"900000000000","google.c.a.e":"1","google.c.a.m_l":"L","collapse_key":"k"}}
                    """))
    }

    @Test func `an empty text counts as absent on every platform`() throws {
        let message = #"{"token":"T","notification":{"title":"t","image":""},"fcm_options":{"analytics_label":""}}"#
        #expect(try apple(message)["fcm_options"] == nil)
        #expect(try android(message)["notification"] == json(#"{"title":"t"}"#))
        #expect(try web(message)["notification"] == json(#"{"title":"t"}"#))
        let specific =
            #"{"token":"T","notification":{"image":"https://a.example/b.png"},"apns":{"fcm_options":{"image":""}}}"#
        #expect(try apple(specific)["fcm_options"]?["image"] == .string("https://a.example/b.png"))
    }

    @Test func `a notification has the app as its collapse key, high priority and the longest TTL`() throws {
        let found = try android(
            #"{"token":"T","notification":{"title":"t","body":"b"},"android":{"collapse_key":"k"}}"#)
        #expect(found["collapseKey"] == .string("app"))
        #expect(found["priority"] == .string("high"))
        #expect(found["ttl"] == .int(2_419_200))
        #expect(found["from"] == .string("900000000000"))
        #expect(try found["notification"] == json(#"{"title":"t","body":"b"}"#))
        #expect(found["extras"]?["gcm.n.e"] == .string("1"))
        #expect(found["extras"]?["gcm.n.title"] == .string("t"))
    }

    static let fields: [(sent: String, field: String, extra: (String, String))] = [
        (#""icon":"i""#, #""icon":"i""#, ("icon", "i")), (#""sound":"s""#, #""sound":"s""#, ("sound2", "s")),
        (#""channel_id":"c""#, #""channelId":"c""#, ("android_channel_id", "c")),
        (#""sticky":true"#, #""sticky":true"#, ("sticky", "1")),
        (#""local_only":"false""#, #""localOnly":false"#, ("local_only", "0")),
        (#""body_loc_args":["x","y"]"#, #""bodyLocArgs":["x","y"]"#, ("body_loc_args", #"["x","y"]"#)),
        (#""title_loc_args":"x""#, #""titleLocArgs":["x"]"#, ("title_loc_args", #"["x"]"#)),
        (#""notification_count":"3""#, #""notificationCount":3"#, ("notification_count", "3")),
        (#""notification_priority":"PRIORITY_MAX""#, #""notificationPriority":2"#, ("notification_priority", "2")),
        (#""notification_priority":1"#, #""notificationPriority":-2"#, ("notification_priority", "-2")),
        (#""visibility":"SECRET""#, #""visibility":-1"#, ("visibility", "-1")),
        (#""vibrate_timings":["0.5s","2s"]"#, #""vibrateTimings":[500,2000]"#, ("vibrate_timings", "[500,2000]")),
        (#""event_time":"1970-01-01T00:00:01Z""#, #""eventTime":1000"#, ("event_time", "1000")),
        (#""proxy":"DENY""#, #""proxy":true"#, ("dnp", "1")),
        (#""bypass_proxy_notification":true"#, #""bypassProxyNotification":true"#, ("dnp", "1")),
        (
            #""light_settings":{"color":{"red":1,"green":0.5,"blue":"NaN","alpha":2},"light_on_duration":"1s","light_off_duration":"0.25s"}"#,
            ##""lightSettings":["#FFFF8000",1000,250]"##, ("light_settings", ##"["#FFFF8000",1000,250]"##)
        ),
    ]

    @Test(arguments: fields.indices) func `each field of an Android notification arrives`(row: Int) throws {
        let (sent, field, extra) = Self.fields[row]
        let found = try android(#"{"token":"T","android":{"notification":{\#(sent)}}}"#)
        #expect(try found["notification"] == json("{\(field)}"), "\(sent)")
        #expect(found["extras"]?["gcm.n.\(extra.0)"] == .string(extra.1), "\(sent)")
        #expect((found["extras"]?["gcm.n.sound"] == .string("default")) == sent.contains("sound"))
    }

    @Test func `Android's own title wins over the common one, and its data replaces the common data`() throws {
        let found = try android(
            #"{"token":"T","notification":{"title":"common","body":"b"},"data":{"a":"1","b":"2"},"android":{"notification":{"title":"own"},"data":{"c":"3"}}}"#
        )
        #expect(try found["notification"] == json(#"{"title":"own","body":"b"}"#))
        #expect(try found["data"] == json(#"{"c":"3"}"#))
    }

    @Test func `android_v2 notifications arrive like those of android`() throws {
        let found = try android(
            #"{"token":"T","android_v2":{"ttl":"5s","remote_notification":{"notification":{"title":"t","id":4}}}}"#)
        #expect(try found["notification"] == json(#"{"title":"t","id":4}"#))
        #expect(found["ttl"] == .int(5))
        #expect(found["priority"] == .string("high"))
        let sync = try android(#"{"token":"T","android_v2":{"background_sync":{}},"data":{"a":"b"}}"#)
        #expect(sync["notification"] == nil)
        #expect(sync["priority"] == .string("normal"))
    }

    static let appleRows: [(message: String, expected: String)] = [
        (
            #"{"token":"T","notification":{"title":"t","body":"b"},"data":{"a":"b"}}"#,
            #"{"aps":{"alert":{"title":"t","body":"b"}},"a":"b"}"#
        ),
        (
            #"{"token":"T","notification":{"title":"t"},"apns":{"payload":{"aps":{"alert":"own","badge":1},"x":[1]}}}"#,
            #"{"aps":{"alert":"own","badge":1},"x":[1]}"#
        ),
        (
            #"{"token":"T","data":{"x":"common","y":"z"},"apns":{"payload":{"aps":{"badge":1},"x":"own"}}}"#,
            #"{"aps":{"badge":1},"x":"own","y":"z"}"#
        ),
        (
            #"{"token":"T","notification":{"title":"t","image":"i"},"apns":{"payload":{"aps":{},"fcm_options":{"a":1}}}}"#,
            #"{"aps":{"alert":{"title":"t"}},"fcm_options":{"image":"i"}}"#
        ),
        (
            #"{"token":"T","notification":{"image":"i"},"apns":{"fcm_options":{"image":"own"}}}"#,
            #"{"aps":{"alert":{}},"fcm_options":{"image":"own"}}"#
        ),
        (
            #"{"token":"T","data":{"aps":"x","gcm.message_id":"y"}}"#, #"{"aps":{}}"#
        ),
    ]

    @Test(arguments: appleRows.indices) func `an iPhone gets the payload, the data and Google's keys`(row: Int) throws {
        let (message, expected) = Self.appleRows[row]
        var members = expected.dropLast()
        let options = members.firstRange(of: #","fcm_options""#).map { members[$0.lowerBound...] } ?? ""
        members = members.dropLast(options.count)
        let google =
            #","gcm.message_id":"0:1%2","google.c.a.e":"1","google.c.sender.id":"900000000000","google.c.fid":"F""#
        #expect(try apple(message) == json(members + google + options + "}"), "\(message)")
    }

    @Test func `mutable-content is added for an image if the choice says so`() throws {
        let message = #"{"token":"T","notification":{"title":"t","image":"i"}}"#
        #expect(try apple(message)["aps"]?["mutable-content"] == nil)
        #expect(try apple(message, adds: true)["aps"]?["mutable-content"] == .int(1))
        let own = #"{"token":"T","notification":{"image":"i"},"apns":{"payload":{"aps":{"mutable-content":0}}}}"#
        #expect(try apple(own, adds: true)["aps"]?["mutable-content"] == .int(0))
        #expect(try apple(#"{"token":"T","notification":{"title":"t"}}"#, adds: true)["aps"]?["mutable-content"] == nil)
    }

    @Test func `the analytics label of a platform wins over the common one`() throws {
        let message =
            #"{"token":"T","fcm_options":{"analytics_label":"all"},"apns":{"fcm_options":{"analytics_label":"ios"}}}"#
        #expect(try apple(message)["google.c.a.m_l"] == .string("ios"))
        #expect(try android(message)["extras"]?["google.c.a.m_l"] == .string("all"))
        #expect(try web(message)["fcmOptions"]?["analytics_label"] == .string("all"))
    }

    @Test func `the Live Activity token is that of the apns block`() throws {
        #expect(try payload(#"{"token":"T","apns":{"live_activity_token":"L"}}"#).liveActivityToken == "L")
        #expect(try payload(#"{"token":"T"}"#).liveActivityToken == nil)
    }

    @Test func `a browser gets the notification, the data and the link`() throws {
        #expect(
            try web(
                #"{"topic":"/topics/x","notification":{"title":"t","body":"b"},"data":{"a":"b"},"webpush":{"headers":{"Topic":"k"},"notification":{"title":"own","tag":[1]},"fcm_options":{"link":"https://a.example"}}}"#
            )
                == json(
                    """
                    {"from":"/topics/x","fcmMessageId":"0:1%2","priority":"normal","collapse_key":"k",
                    "notification":{"body":"b","title":"own","tag":[1],"click_action":"https://a.example"},
                    "data":{"a":"b"},"fcmOptions":{"link":"https://a.example"}}
                    """))
        #expect(
            try web(#"{"token":"T","data":{"a":"b"},"webpush":{"data":{"c":"d"}}}"#)
                == json(
                    #"{"from":"900000000000","fcmMessageId":"0:1%2","priority":"normal","data":{"c":"d"}}"#))
    }
}
