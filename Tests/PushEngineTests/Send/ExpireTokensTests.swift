import APNs
import PushCore
import Testing

@testable import PushEngine

/// Provider tokens and access tokens that are ended before their time.
@Suite struct ExpireTokensTests {
    private func bearer(_ fixture: EngineFixture, age: Int64 = 0, key: String = "ABCDE12345", signature: [UInt8] = [1])
        -> [String: String]
    {
        let issued = fixture.now.seconds - age
        return [
            "authorization": "bearer \(EngineFixture.providerToken(issuedAt: issued, key: key, signature: signature))"
        ]
    }

    /// Any signature is good, so that a test can sign two different tokens in one second.
    private func fixture() -> EngineFixture { EngineFixture { $0.verifyProviderToken = { _, _, _ in true } } }

    @Test func `a token that was used is ended, and one of the same second replaces it at once`() {
        let fixture = fixture()
        let (first, second) = (bearer(fixture), bearer(fixture, signature: [2]))
        #expect(fixture.push(first).status == 200)
        #expect(fixture.push(second).description == "429 TooManyProviderTokenUpdates")
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
        #expect(fixture.push(first).description == "403 ExpiredProviderToken")
        #expect(fixture.push(second).status == 200)
        #expect(fixture.push(first).description == "403 ExpiredProviderToken")
        #expect(fixture.push(second).status == 200)
        fixture.connection.session = APNsSession()
        #expect(fixture.push(first).description == "403 ExpiredProviderToken", "on a new connection, too")
        #expect(fixture.push(second).status == 200)
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
        for token in [first, second] { #expect(fixture.push(token).description == "403 ExpiredProviderToken") }
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 0)
    }

    @Test func `older tokens that were never sent are ended as well`() {
        let fixture = fixture()
        #expect(fixture.push(bearer(fixture)).status == 200)
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
        fixture.connection.session = APNsSession()
        #expect(fixture.push(bearer(fixture, age: 1)).description == "403 ExpiredProviderToken")
        #expect(fixture.push(bearer(fixture, age: -1)).status == 200)
    }

    @Test func `a token counts once, and not after its hour`() {
        let fixture = fixture()
        let old = bearer(fixture, age: 3000)
        for _ in 0..<3 {
            fixture.connection.session = APNsSession()
            #expect(fixture.push(old).status == 200)
        }
        fixture.now = fixture.now + 601_000
        fixture.connection.session = APNsSession()
        #expect(fixture.push(bearer(fixture)).status == 200)
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
    }

    @Test func `broadcasts end with the pushes`() {
        let fixture = fixture()
        let path = "/1/apps/com.example.app/all-channels"
        let first = bearer(fixture)
        #expect(fixture.call("GET", path, first).status == 200)
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
        #expect(fixture.call("GET", path, first).description == "403 ExpiredProviderToken")
        #expect(fixture.push(first).description == "403 ExpiredProviderToken")
        #expect(fixture.call("GET", path, bearer(fixture, signature: [2])).status == 200)
    }

    @Test func `only the tokens of one key or of one project are ended`() throws {
        let fixture = fixture()
        let other = bearer(fixture, key: "ZZZZZ12345")
        let account = "sender@shop.iam.gserviceaccount.com"
        let access = try #require(fixture.accessToken(for: account))
        func send() -> String {
            let body = #"{"message":{"topic":"t"}}"#
            let path = "/v1/projects/shop/messages:send"
            return fixture.google("POST", path, ["authorization": "Bearer \(access)"], body: body).description
        }
        func expire(_ project: String?, _ key: String?, account: String? = nil) -> Int {
            var scope = TokenScope()
            (scope.project, scope.keyID, scope.clientEmail) = (project, key, account)
            return fixture.engine.expireTokens(scope, at: fixture.now, systemTime: fixture.now)
        }
        #expect(fixture.push(bearer(fixture)).status == 200)
        fixture.connection.session = APNsSession()
        #expect(fixture.push(other).status == 200)
        #expect(send() == "200")
        #expect(expire("demo", nil) == 0)
        #expect(expire(nil, "YYYYY12345") == 0)
        // Another account of the same project, and the right account in another project.
        #expect(expire(nil, nil, account: "other@shop.iam.gserviceaccount.com") == 0)
        #expect(expire("demo", nil, account: account) == 0)
        #expect(send() == "200")
        #expect(expire(nil, "ABCDE12345") == 1)
        #expect(fixture.push(other).status == 200)
        #expect(send() == "200")
        fixture.connection.session = APNsSession()
        #expect(fixture.push(bearer(fixture)).description == "403 ExpiredProviderToken")
        #expect(expire("shop", nil) == 1)
        #expect(send() == "401 UNAUTHENTICATED")
        #expect(fixture.push(other).status == 200)
        #expect(expire("shop", "ZZZZZ12345") == 1)
        #expect(fixture.push(other).description == "403 ExpiredProviderToken")
        let next = try #require(fixture.accessToken(for: account))
        #expect(next != access)
        #expect(expire(nil, nil, account: account) == 1)
        _ = try #require(fixture.accessToken(for: account))
        #expect(expire(nil, nil) == 1)
    }

    @Test func `an access token that was ended stays ended when the clock goes back`() throws {
        let fixture = fixture()
        let access = try #require(fixture.accessToken(for: "sender@shop.iam.gserviceaccount.com"))
        #expect(fixture.engine.expireTokens(at: fixture.now, systemTime: fixture.now) == 1)
        fixture.now = fixture.now + -1_000_000
        let body = #"{"message":{"topic":"t"}}"#
        let fields = ["authorization": "Bearer \(access)"]
        #expect(fixture.google("POST", "/v1/projects/shop/messages:send", fields, body: body).status == 401)
    }
}
