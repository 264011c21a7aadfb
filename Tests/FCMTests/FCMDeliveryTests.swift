import PushCore
import Testing

@testable import FCM

/// How a message is delivered: priority, expiry and collapse keys on each platform.
@Suite struct FCMDeliveryTests {
    private func delivery(_ message: String) throws -> FCMDelivery {
        var sender = FCMSender()
        return try #require(sender.post(#"{"message":{"topic":"t",\#(message)}}"#).delivery)
    }

    static let seconds: Int64 = 2_419_200

    @Test(
        arguments: [
            (#""data":{"a":"b"}"#, 5, seconds), (#""notification":{"title":"x"}"#, 10, seconds),
            (#""android":{"notification":{"title":"x"}}"#, 10, seconds),
            (#""android":{"priority":"high"},"data":{"a":"b"}"#, 10, seconds),
            (#""android":{"priority":"normal"},"notification":{"title":"x"}"#, 5, seconds),
            (#""android":{"ttl":"60s"}"#, 5, 60), (#""android":{"ttl":"60.9s"}"#, 5, 60),
            (#""android":{"ttl":"0s"}"#, 5, nil),
            (#""android_v2":{"ttl":"7s","remote_notification":{}}"#, 10, 7),
            (#""android_v2":{"background_sync":{}}"#, 5, seconds),
        ] as [(String, Int, Int64?)]) func `Android's priority and time to live`(
            message: String, priority: Int, ttl: Int64?
        ) throws
    {
        let google = try delivery(message).google
        #expect(google.priority == priority)
        #expect(google.expires == ttl.map { FCMCase.now + $0 * 1000 })
        #expect(google.provider == .fcm)
        #expect(google.sent == FCMCase.now)
    }

    @Test(
        arguments: [
            ("{}", 10, nil), (#"{"apns-priority":"5"}"#, 5, nil), (#"{"APNS-Priority":"1"}"#, 1, nil),
            (#"{"apns-expiration":"1790000100"}"#, 10, 1_790_000_100_000),
            (#"{"apns-expiration":"9999999999"}"#, 10, nil), (#"{"apns-expiration":"-5"}"#, 10, 0),
            (#"{"apns-priority":"x","apns-expiration":"x"}"#, 10, nil),
        ] as [(String, Int, Int64?)]) func `Apple's priority and expiry, at most 30 days`(
            headers: String, priority: Int, expires: Int64?
        ) throws
    {
        let apple = try delivery(#""notification":{"title":"x"},"apns":{"headers":\#(headers)}"#).apple
        #expect(apple.priority == priority)
        let latest = FCMCase.now.milliseconds + 30 * 24 * 3_600_000
        #expect(apple.expires?.milliseconds == expires ?? latest)
        #expect(apple.provider == .apns)
    }

    @Test(arguments: [
        (#""notification":{"title":"x"}"#, true), (#""data":{"a":"b"}"#, false),
        (#""apns":{"payload":{"aps":{"badge":1}}}"#, true), (#""apns":{"payload":{"aps":{"category":"x"}}}"#, false),
        (#""apns":{"payload":{"aps":{"alert":"x","content-available":1}}}"#, false),
        (#""apns":{"payload":{"aps":{"alert":"x","content-available":0}}}"#, true),
    ]) func `a message only shows a notification if it does not wake the app`(message: String, isVisible: Bool) throws {
        #expect(try delivery(message).apple.onlyShowsNotification == isVisible)
    }

    @Test func `Apple's collapse id is that of the header`() throws {
        let apple = try delivery(#""notification":{},"apns":{"headers":{"Apns-Collapse-Id":"k"}}"#).apple
        #expect(apple.collapseID == Array("k".utf8))
        #expect(try delivery(#""notification":{}"#).apple.collapseID.isEmpty)
    }

    @Test(
        arguments: [
            ("{}", 5, seconds, nil), (#"{"TTL":"60","Urgency":"high","Topic":"k"}"#, 10, 60, "k"),
            (#"{"ttl":"0","urgency":"low"}"#, 5, nil, nil), (#"{"TTL":"99999999"}"#, 5, seconds, nil),
        ] as [(String, Int, Int64?, String?)]) func `a browser's priority, time to live and topic`(
            headers: String, priority: Int, ttl: Int64?, topic: String?
        ) throws
    {
        let delivery = try delivery(#""data":{"a":"b"},"webpush":{"headers":\#(headers)}"#)
        #expect(delivery.web.priority == priority)
        #expect(delivery.web.expires == ttl.map { FCMCase.now + $0 * 1000 })
        #expect(delivery.webTopic == topic)
    }

    @Test(
        arguments: [
            (#""data":{"a":"b"},"android":{"collapse_key":"k"}"#, "k", false, false),
            (#""notification":{"title":"x"},"android":{"collapse_key":"k"}"#, nil, true, false),
            (#""android":{"collapse_key":"k"}"#, "k", false, true),
            (#""android":{"data":{"a":"b"}}"#, nil, false, false),
            (#""apns":{"payload":{"aps":{"alert":"x"}}}"#, nil, false, true),
        ] as [(String, String?, Bool, Bool)]) func `only data messages have a collapse key`(
            message: String, key: String?, isNotification: Bool, isEmpty: Bool
        ) throws
    {
        let delivery = try delivery(message)
        #expect(delivery.collapseKey == key)
        #expect(delivery.isNotification == isNotification)
        #expect(delivery.isEmpty == isEmpty)
    }

    @Test(arguments: [
        (#""apns":{"payload":{"aps":{"alert":"x"}}}"#, true), (#""notification":{"title":"x"}"#, false),
        (#""apns":{"payload":{"aps":{"alert":"x"}}},"android":{}"#, false),
        (#""apns":{"payload":{"aps":{"alert":"x"}}},"webpush":{}"#, false),
    ]) func `a message with nothing but an apns block is for an iPhone`(message: String, isForApple: Bool) throws {
        #expect(try delivery(message).isForApple == isForApple)
    }

    @Test func `the package restriction and direct boot come from the Android block`() throws {
        let delivery = try delivery(#""android":{"restricted_package_name":"p","direct_boot_ok":true}"#)
        #expect(delivery.restrictedPackage == "p")
        #expect(delivery.google.worksInDirectBoot)
        #expect(try !self.delivery(#""data":{}"#).google.worksInDirectBoot)
    }
}
