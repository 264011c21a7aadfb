import JSON
import Testing

@testable import FCM

/// Recorded answers that name a platform.
@Suite struct PlatformAnswerTests {
    /// Targets of a message that is too large, and the two words that its answer may begin with.
    @Test(arguments: [
        (#""token":"android""#, "Android message"), (#""token":"apple""#, "iOS message"),
        (#""token":"web""#, "Message is"), (#""topic":"t""#, "Message is"), (#""token":"unknown""#, "Android message"),
        (#""fid":"unknown","apns":{}"#, "iOS message"), (#""condition":"'a' in topics""#, "Message is"),
    ]) func `the text for one platform is only for messages to its devices`(target: String, beginning: String) throws {
        let ids = ["oversize-android", "oversize-ios"]
        var sender = FCMSender(FCMPolicy(answers: ids.compactMap(RecordedAnswer.named)))
        let platforms: [(String, FCMRegistration.Platform)] = [("android", .android), ("apple", .apple), ("web", .web)]
        for (token, platform) in platforms {
            sender.registrations[token] = FCMRegistration(
                slot: 0, platform: platform, isUnregistered: false, project: nil)
        }
        let answer = sender.post(#"{"message":\#(RecordedAnswerTests.large(target))}"#).response
        let message = try FCMCase.document(answer.text).root["error"]?["message"]?.string ?? ""
        #expect(message.hasPrefix(beginning), "\(message)")
        // An answer for all platforms that is chosen later replaces both.
        sender.policy = FCMPolicy(answers: (ids + ["oversize-2018"]).compactMap(RecordedAnswer.named))
        #expect(
            sender.post(#"{"message":\#(RecordedAnswerTests.large(target))}"#).response.text.contains(
                "Request contains"))
    }
}
