import APNs
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Answers of Apple's service that were never recorded, and the other answer that a choice selects.
@Suite struct APNsChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let choice: APNsChoice
        let standard: String
        let other: String
        let send: @Sendable (EngineFixture) -> EngineFixture.Answer

        init(
            _ choice: APNsChoice, _ standard: String, _ other: String,
            _ send: @escaping @Sendable (EngineFixture) -> EngineFixture.Answer
        ) {
            (self.choice, self.standard, self.other, self.send) = (choice, standard, other, send)
        }

        var testDescription: String { choice.rawValue }
    }

    private static func bearer(team: String = "TEAM567890", key: String = "OTHERKEY12", issuedAt: Int64) -> String {
        let head = #"{"alg":"ES256","kid":"\#(key)"}"#
        let claims = #"{"iss":"\#(team)","iat":\#(issuedAt)}"#
        return "bearer "
            + [Array(head.utf8), Array(claims.utf8), [1]].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    static let rows = [
        Row(.unknownChannel, "400 ChannelNotRegistered", "404 BadPath") {
            $0.call(
                "GET", "/1/apps/\(EngineFixture.app)/channels", ["apns-channel-id": "AAAAAAAAAAAAAAAAAAAAAA=="])
        },
        Row(.notJSON, "200", "400 PayloadEmpty") { $0.push(body: "not JSON") },
        Row(.futureToken, "200", "403 InvalidProviderToken") {
            $0.push(["authorization": bearer(key: "ABCDE12345", issuedAt: $0.now.seconds + 600)])
        },
        Row(.otherTeam, "403 InvalidProviderToken", "403 Forbidden") {
            #expect($0.push().status == 200)
            return $0.push(["authorization": bearer(team: "OTHERTEAM1", issuedAt: $0.now.seconds)])
        },
        Row(.plainTopic, "400 InvalidPushType", "400 DeviceTokenNotForTopic") {
            $0.push(["apns-push-type": "liveactivity"])
        },
        Row(.capitalID, "200", "400 BadMessageId") { $0.push(["apns-id": "EABEAE54-14A8-11E5-B60B-1697F925EC7B"]) },
        Row(.pastExpiration, "200", "400 BadExpirationDate") { $0.push(["apns-expiration": "1000000000"]) },
    ]

    private func answers(_ choices: Set<APNsChoice>) -> [EngineFixture.Answer] {
        Self.rows.map { row in
            let fixture = EngineFixture {
                $0.apns.validation = .service
                $0.apns.choices = choices
            }
            return row.send(fixture)
        }
    }

    @Test func `each choice changes its answer and no other`() {
        let standard = Self.rows.map(\.standard)
        #expect(answers([]).map(\.description) == standard)
        for (index, row) in Self.rows.enumerated() {
            var expected = standard
            expected[index] = row.other
            #expect(answers([row.choice]).map(\.description) == expected, "\(row.choice)")
        }
        #expect(Set(Self.rows.map(\.choice) + [.errorType, .expiredPush, .wrongPushType]) == Set(APNsChoice.allCases))
    }

    @Test func `error bodies have a content type if the choice says so`() {
        #expect(answers([]).allSatisfy { $0.headers["content-type"] == nil })
        for answer in answers([.errorType]) {
            #expect(answer.headers["content-type"] == (answer.status == 200 ? nil : "application/json"))
        }
    }

    @Test func `a refusal of strict says that Apple accepts it, and stays short`() {
        let fixture = EngineFixture()
        let image = #""fcm_options":{"image":"https://a.example/b.png"}"#
        let refused = fixture.push(body: #"{"aps":{"alert":"x"},\#(image)}"#)
        #expect(refused.description == "400 InvalidPayload")
        #expect(refused.json?["rule"]?.string == "media.needs-mutable-content")
        #expect(refused.json?["message"]?.string?.contains("Apple answers 200") == true)
        #expect(fixture.push(body: #"{"aps":{"alert":"x","mutable-content":1},\#(image)}"#).status == 200)
        let long = String(repeating: "é", count: 1500)
        let bounded = fixture.push(
            body: #"{"aps":{"alert":"x","mutable-content":1},"media-attachment-url":"\#(long)"}"#)
        #expect(bounded.description == "400 InvalidPayload" && bounded.body.count < 1024)
    }
}
