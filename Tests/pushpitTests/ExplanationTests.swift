import Gateway
import HTTPCore
import PushCore
import RuleTables
import Testing

@testable import pushpit

/// What `pushpit send` prints after the answer.
@Suite struct ExplanationTests {
    private func push(
        _ status: Int, _ answer: String, _ provider: Provider = .fcm, body: String = #"{"message":{"topic":"a"}}"#
    ) -> SentPush {
        SentPush(
            provider: provider, body: Array(body.utf8),
            answer: Response(status: status, headers: HeaderBlock([:]), body: .bytes(Array(answer.utf8))))
    }

    private func journal(of push: SentPush, _ members: String) throws -> JournalEntry {
        let body = String(decoding: push.body, as: UTF8.self)
        let other = #"{"why":"fcm.color","findings":[],"request":{"body":{"message":{"topic":"other"}}}}"#
        let list = #"{"messages":[\#(other),{\#(members),"request":{"body":\#(body)}}],"next":null}"#
        return try #require(JournalEntry(of: push, in: Array(list.utf8)))
    }

    @Test func `a refusal of APNs is explained from its reason`() {
        let text = Explanation.text(of: push(400, #"{"reason":"BadPriority"}"#, .apns, body: "{}"), nil)
        #expect(
            text
                == "refused: apns-priority is not 10, 5 or 1. [apns.BadPriority]\n  fix: \(remedy("apns.BadPriority"))\n"
        )
        #expect(Explanation.text(of: push(400, #"{"reason":"Unheard"}"#, .apns, body: "{}"), nil) == "")
    }

    private func remedy(_ rule: String) -> String { RuleBook.rule(rule)?.remedy ?? "" }

    @Test(arguments: [
        (#"{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}"#, "fcm.UNREGISTERED"),
        (
            #"{"error":{"details":[{"errorCode":"INVALID_ARGUMENT"},{"errorCode":"QUOTA_EXCEEDED"}]}}"#,
            "fcm.QUOTA_EXCEEDED"
        ),
        (#"{"error":{"details":[{"reason":"IAM_PERMISSION_DENIED"}]}}"#, "fcm.no-permission"),
        (
            #"{"error":{"details":[{"errorCode":"INVALID_ARGUMENT"},{"statusCode":400,"reason":"BadPriority"}]}}"#,
            "apns.BadPriority"
        ),
        (
            #"{"error":{"details":[{"errorCode":"UNREGISTERED"},{"statusCode":410,"reason":"Unregistered"}]}}"#,
            "fcm.UNREGISTERED"
        ),
        (#"{"error":{"details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}"#, "fcm.project-quota"),
    ]) func `a refusal of FCM is explained from its code`(body: String, id: String) throws {
        let rule = try #require(RuleBook.rule(id))
        #expect(
            Explanation.text(of: push(429, body), nil) == "refused: \(rule.meaning) [\(id)]\n  fix: \(rule.remedy)\n")
    }

    @Test(arguments: [
        #"{"error":{"details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#, #"{"error":{"details":[]}}"#, #"{"error":1}"#,
        "[]",
    ]) func `an answer without a known code is not explained`(body: String) {
        #expect(Explanation.text(of: push(400, body), nil) == "")
    }

    @Test func `the faults of a message are found without the journal too`() {
        let text = Explanation.text(of: push(400, "{}", body: #"{"message":{"topic":"a/b"}}"#), nil)
        #expect(
            text.hasPrefix(
                "refused: The topic name 'a/b' contains '/', which is not allowed. [fcm.topic-name]\n  fix: Use letters"
            ))
    }

    @Test(arguments: ["fcm.data-priority", "fcm.project-quota", "fcm.token-malformed", "fcm.topic-name"])
    func `the journal says which rule refused a message`(id: String) throws {
        let push = push(400, #"{"error":{"details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#)
        let rule = try #require(RuleBook.rule(id))
        let text = Explanation.text(of: push, try journal(of: push, #""why":"\#(id)","findings":[]"#))
        #expect(text == "refused: \(rule.meaning) [\(id)]\n  fix: \(rule.remedy)\n")
    }

    @Test func `a refusal is printed once, in the words of its finding`() throws {
        let push = push(400, #"{"reason":"InvalidPayload"}"#, .apns, body: #"{"aps":{"alert":1}}"#)
        let finding = #"{"rule":"aps.wrong-type","severity":"error","path":"/aps/alert","message":"It is wrong."}"#
        let text = Explanation.text(
            of: push, try journal(of: push, #""why":"aps.wrong-type","findings":[\#(finding)]"#))
        #expect(text == "refused: It is wrong. [aps.wrong-type]\n  fix: \(remedy("aps.wrong-type"))\n")
    }

    @Test func `a magic token is the cause of the refusal that it asks for`() throws {
        let push = push(503, #"{"reason":"ServiceUnavailable"}"#, .apns, body: "{}")
        let finding =
            #"{"rule":"fault.magic-token","severity":"note","path":"headers/:path","message":"The token begins so."}"#
        let text = Explanation.text(
            of: push, try journal(of: push, #""why":"apns.ServiceUnavailable","findings":[\#(finding)]"#))
        #expect(
            text == "refused: The token begins so. [apns.ServiceUnavailable]\n  fix: \(remedy("fault.magic-token"))\n")
    }

    @Test(arguments: [#""why":"apns.received","#, ""])
    func `a refusal by a fault that delivers the push is not mistaken for one by the service`(why: String) throws {
        let push = push(503, #"{"error":{"details":[{"errorCode":"UNAVAILABLE"}]}}"#)
        let text = Explanation.text(of: push, try journal(of: push, #"\#(why)"outcome":"accepted","findings":[]"#))
        #expect(
            text == "refused: A fault gave this answer, but the gateway accepted the push as if there were no fault. "
                + "[fault.custom]\n  fix: \(remedy("fault.custom"))\n")
        let refused = Explanation.text(of: push, try journal(of: push, #""outcome":"refused","findings":[]"#))
        #expect(refused.contains("[fcm.UNAVAILABLE]"))
    }

    @Test func `the size of a message that is too large is named without the journal too`() {
        let body = #"{"message":{"topic":"a","data":{"a":"\#(String(repeating: "x", count: 5000))"}}}"#
        let text = Explanation.text(of: push(400, "{}", body: body), nil)
        #expect(
            text.hasPrefix(
                "refused: The keys and values of the message have 5001 bytes in all, and at most 4506 are accepted. [fcm.too-large]"
            ))
    }

    @Test func `the mark below a JSON error stays at its place`() throws {
        let push = push(400, "{}", body: #"{"message":{"topic":"a","#)
        let finding = #"{"rule":"fcm.not-json","severity":"error","path":"/message","message":"In one line ^"}"#
        let list =
            #"{"messages":[{"why":"fcm.not-json","findings":[\#(finding)],"request":{"body":"{\"message\":{\"topic\":\"a\","}}]}"#
        let entry = try #require(JournalEntry(of: push, in: Array(list.utf8)))
        let text = Explanation.text(of: push, entry)
        #expect(text.contains("\n") && text.contains("^ [fcm.not-json]\n  fix: "), "\(text)")
        #expect(!text.contains("In one line"), "\(text)")
    }

    @Test func `a value of the wrong type in aps is explained in our words`() {
        let body = #"{"message":{"topic":"a","apns":{"payload":{"aps":{"badge":"1"}}}}}"#
        #expect(
            Explanation.text(of: push(400, "{}", body: body), nil)
                == "refused: 'badge' in aps must be a number, but it is a string. [fcm.aps-type]\n"
                + "  fix: Write 'badge' as a number without quotes, such as 1.\n")
    }

    @Test func `what would be right for each value is added to a conversion error`() throws {
        let push = push(400, "{}", body: #"{"message":{"topic":"a","android":{"priority":"x","ttl":"1"}}}"#)
        let text = Explanation.text(of: push, try journal(of: push, #""why":"fcm.conversion","findings":[]"#))
        #expect(
            text.contains(
                "[fcm.conversion]\n  fix: Use NORMAL or HIGH.\nrefused: Invalid value at 'message.android.ttl'"),
            "\(text)")
    }

    @Test func `the findings of an accepted push are printed`() throws {
        let push = push(200, "", .apns, body: #"{"aps":{"content-available":1}}"#)
        let finding =
            #"{"rule":"background.priority-10","severity":"warning","path":"headers/apns-priority","message":"Priority."}"#
        let text = Explanation.text(of: push, try journal(of: push, #""why":"apns.received","findings":[\#(finding)]"#))
        #expect(text == "warning: Priority. [background.priority-10]\n  fix: \(remedy("background.priority-10"))\n")
        #expect(Explanation.text(of: push, try journal(of: push, #""why":"apns.received","findings":[]"#)) == "")
    }

    @Test(
        arguments: [
            (7_200_000, "note: the gateway's clock is 2 h ahead of this machine's; "),
            (-7_260_000, "note: the gateway's clock is 2 h 1 min behind this machine's; "), (5000, nil),
        ] as [(Int64, String?)])
    func `a refusal of an old token says that the gateway's clock was moved`(lead: Int64, note: String?) {
        let push = push(403, #"{"reason":"ExpiredProviderToken"}"#, .apns, body: "{}")
        let text = Explanation.text(of: push, nil) { lead }
        #expect(text.contains("note: ") == (note != nil))
        #expect(text.contains(note ?? "refused: "), "\(text)")
        let other = self.push(400, #"{"reason":"BadPriority"}"#, .apns, body: "{}")
        #expect(!Explanation.text(of: other, nil, clockLead: { lead }).contains("note: "))
        let invalid = self.push(403, #"{"reason":"InvalidProviderToken"}"#, .apns, body: "{}")
        let isBehind = lead < -60_000
        #expect(Explanation.text(of: invalid, nil, clockLead: { lead }).contains("note: ") == isBehind)
    }

    @Test func `an answer of the token endpoint is not mistaken for one to the message`() throws {
        let push = push(400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#)
        let text = Explanation.text(of: push, try journal(of: push, #""why":"fcm.color","findings":[]"#))
        #expect(text.hasPrefix("refused: /token refused the signed claims"), "\(text)")
        #expect(!text.contains("fcm.color"))
    }

    @Test(arguments: ["", "[]", #"{"messages":[]}"#, #"{"messages":[{"request":{"body":{"message":{"topic":"b"}}}}]}"#])
    func `a push that is not in the journal has no entry`(list: String) {
        #expect(JournalEntry(of: push(200, ""), in: Array(list.utf8)) == nil)
    }

    @Test func `a gateway whose token is missing or wrong is named`() {
        #expect(JournalEntry.notice(about: 401, hasToken: false)?.hasSuffix("pass its --api-token") == true)
        #expect(JournalEntry.notice(about: 401, hasToken: true)?.contains("--api-token is not the one") == true)
        for status in [200, 403, 503] { #expect(JournalEntry.notice(about: status, hasToken: false) == nil) }
    }

    @Test func `a body that is not JSON is found as text`() {
        let push = push(400, "", .apns, body: "oops")
        let list = #"{"messages":[{"why":"payload.not-json","findings":[],"request":{"body":"oops"}}]}"#
        #expect(JournalEntry(of: push, in: Array(list.utf8))?.rule == "payload.not-json")
    }
}
