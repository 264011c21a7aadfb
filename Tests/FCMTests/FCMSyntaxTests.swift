import JSON
import PushCore
import Testing

@testable import FCM

/// The syntax of tokens, installation ids, topics and message ids.
@Suite struct FCMSyntaxTests {
    private static func token(id: Int = 22, rest: Int = 139, prefix: String = "APA91") -> String {
        String(repeating: "c", count: id) + ":" + prefix + String(repeating: "b", count: rest - prefix.utf8.count)
    }

    @Test(arguments: [
        (token(), true), (token(id: 8), true), (token(id: 7), false), (token(id: 64), true), (token(id: 65), false),
        (token(rest: 85), true), (token(rest: 84), false), (token(rest: 1005), true), (token(rest: 1006), false),
        (token(prefix: "APA92"), false), (token() + ":x", false), (token() + "=", false), ("", false), (":", false),
        (token().replacing(":", with: ""), false),
    ]) func `a registration token has two parts of limited length`(text: String, isToken: Bool) {
        #expect(FCMSyntax.isToken(text) == isToken)
    }

    @Test(arguments: [
        ("cABCDEFGHIJKLMNOPQRSTU", true), ("fABCDEFGHIJKLMNOPQR-_9", true), ("bABCDEFGHIJKLMNOPQRSTU", false),
        ("gABCDEFGHIJKLMNOPQRSTU", false), ("cABCDEFGHIJKLMNOPQRST", false), ("cABCDEFGHIJKLMNOPQRSTUV", false),
        ("cABCDEFGHIJKLMNOPQRST.", false), ("", false),
    ]) func `an installation id has 22 characters and starts with c to f`(text: String, isID: Bool) {
        #expect(FCMSyntax.isInstallationID(text) == isID)
    }

    @Test(arguments: [
        ("news", true), ("a-zA-Z0-9-_.~%", true), (String(repeating: "a", count: 900), true),
        (String(repeating: "a", count: 901), false), ("", false), ("a b", false), ("/topics/a", false), ("é", false),
        ("a+b", false),
    ]) func `a topic has 1 to 900 allowed characters`(text: String, isTopic: Bool) {
        #expect(FCMSyntax.isTopic(text) == isTopic)
        #expect(TopicCall.isTopic(text) == isTopic)
    }

    @Test func `message ids of one device differ and rise with time`() throws {
        var (random, names) = (Random(seed: 11), [String]())
        let document = try FCMCase.document(#"{"message":{"notification":{"title":"x"}}}"#)
        let message = try #require(ProtoCheck(document, as: .sendMessageRequest).view?.message(.message))
        let parsed = ParsedMessage(message, to: .token(FCMCase.token), isDryRun: false, findings: [])
        for millisecond in 0..<200 {
            names.append(
                MessageName.make(for: parsed, .android, at: FCMCase.now + Int64(millisecond), using: &random))
        }
        #expect(Set(names).count == names.count)
        #expect(names == names.sorted())
        for name in names {
            // A notification's id ends with the same eight digits twice.
            let suffix = name.split(separator: "%")[1]
            #expect(suffix.count == 16 && suffix.prefix(8) == suffix.suffix(8))
        }
    }

    @Test func `the message id of a topic has 19 digits`() throws {
        var random = Random(seed: 12)
        let document = try FCMCase.document(#"{"message":{"data":{}}}"#)
        let message = try #require(ProtoCheck(document, as: .sendMessageRequest).view?.message(.message))
        for isDryRun in [true, false] {
            let parsed = ParsedMessage(message, to: .topic("a"), isDryRun: isDryRun, findings: [])
            for _ in 0..<100 {
                let name = MessageName.make(for: parsed, .android, at: FCMCase.now, using: &random)
                #expect(name.utf8.count == 19 && name.utf8.allSatisfy { 0x30...0x39 ~= $0 })
            }
        }
    }
}
