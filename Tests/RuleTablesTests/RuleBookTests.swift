import APNs
import Devices
import HTTP1
import PushCore
import RuleTables
import Testing

struct RuleBookTests {
    @Test func `no two rules share an id`() {
        var seen: Set<RuleID> = []
        for rule in RuleBook.all { #expect(seen.insert(rule.id).inserted, "\(rule.id)") }
    }

    @Test func `a rule has a meaning and a remedy in whole sentences`() {
        for rule in RuleBook.all {
            for text in [rule.meaning, rule.remedy] {
                #expect(text.hasSuffix(".") && text.split(separator: " ").count > 2, "\(rule.id): \(text)")
                #expect(!text.contains("  ") && !text.contains(".."), "\(rule.id): \(text)")
            }
            #expect(rule.remedy.first?.isUppercase == true, "\(rule.id): \(rule.remedy)")
        }
    }

    @Test func `ids, effects, severities and evidence are those of the snapshot`() {
        let rows = RuleBook.all.map { rule in
            let severity = rule.effect.severity
            let evidence = rule.observed.map { "\(rule.evidence.rawValue) \($0)" } ?? rule.evidence.rawValue
            return "\(rule.id): \(rule.effect.text) (\(severity.strict), \(severity.service)), \(evidence)"
        }
        let expected = RuleSnapshot.rows.split(separator: "\n").flatMap { $0.split(separator: "; ").map(String.init) }
        for (row, wanted) in zip(rows, expected) { #expect(row == wanted) }
        #expect(rows.count == expected.count)
    }

    @Test(arguments: APNsReason.allCases)
    func `a reason of APNs finds its own row`(_ reason: APNsReason) throws {
        let rule = try #require(RuleBook.rule(reason.rule.description))
        #expect(rule.id.description == "apns.\(reason.word)")
        #expect(rule.effect.text == (reason == .invalidPayload ? "400, strict" : "\(reason.status)"))
        #expect(rule.meaning == reason.meaning)
    }

    @Test(arguments: PayloadRule.allCases)
    func `a payload rule finds its own row`(_ payload: PayloadRule) throws {
        let rule = try #require(RuleBook.rule(payload.rule.description))
        #expect(rule.effect.text == (payload.refuses ? "400, strict" : "finding"))
    }

    @Test(arguments: TransitOutcome.allCases)
    func `an outcome finds its own row`(_ outcome: TransitOutcome) throws {
        let rule = try #require(RuleBook.rule(outcome.rule.description))
        #expect(rule.meaning.hasPrefix("\(outcome.word): "))
        #expect(TransitOutcome(outcome.rule) == outcome)
    }

    /// A row is found by the number of its case.
    @Test func `each case has the row at its own place in the table`() {
        func isInOrder<Key: CaseIterable & RawRepresentable<UInt8>>(_: Key.Type) -> Bool {
            Key.allCases.map { Int($0.rawValue) } == Array(0..<Key.allCases.count)
        }
        #expect(isInOrder(APNsReason.self) && isInOrder(PayloadRule.self))
        #expect(isInOrder(TransitOutcome.self) && isInOrder(DropRule.self) && isInOrder(PhoneRule.self))
        let ids = RuleBook.all.map(\.id)
        #expect(APNsReason.allCases.map(\.rule) == Array(ids.prefix(APNsReason.allCases.count)))
        let ofDevices =
            TransitOutcome.allCases.map(\.rule) + DropRule.allCases.map(\.rule) + PhoneRule.allCases.map(\.rule)
        #expect(ids.filter { Set(ofDevices).contains($0) } == ofDevices)
    }

    /// A few by name: a switch with two rows exchanged would pass every test above.
    @Test func `a case has the id that its name says`() {
        #expect(APNsReason.badDeviceToken.word == "BadDeviceToken" && APNsReason.badDeviceToken.status == 400)
        #expect(APNsReason.unregistered.word == "Unregistered" && APNsReason.unregistered.status == 410)
        #expect(PayloadRule.mediaInClearText.rule == RuleID("media.http"))
        #expect(TransitOutcome.storedOffline.rule == RuleID("apns.stored-offline"))
        #expect(TransitOutcome.storedOffline.isStorage && TransitOutcome.fcmDelivered.isDelivery)
        #expect(DropRule.reset.rule == RuleID("devices.reset"))
        #expect(PhoneRule.iosShown.rule == RuleID("ios.shown") && PhoneRule.adobeHit.rule == RuleID("adobe.hit"))
    }

    @Test(arguments: Refusal.allCases)
    func `a refusal of HTTP/1 is a rule with the same texts`(_ refusal: Refusal) throws {
        let rule = try #require(RuleBook.rule(refusal.id))
        #expect(rule.effect.text == "\(refusal.status)")
        #expect((rule.meaning, rule.remedy) == (refusal.meaning, refusal.remedy))
    }
}
