import HTTPCore
import JSON
import PushCore
import Testing

@testable import Receivers

/// Installations, and registrations of web apps.
@Suite struct FirebaseTests {
    private static let (now, key, secret) = (FirebaseClient.now, FirebaseClient.point, FirebaseClient.secret)

    @Test func `an installation is made, renewed and deleted`() throws {
        var client = FirebaseClient()
        let answer = try client.install()
        #expect(client.fid == "diGlUGX5cd7h6-sA6NmyX0" && answer["authToken"]?["expiresIn"]?.string == "604800s")
        let auth = [("authorization", "FIS_v2 \(client.refreshToken)")]
        #expect(try client.call(.post, "installations/\(client.fid)/authTokens:generate", "{}", auth).status == 200)
        #expect(try client.call(.post, "installations/\(client.fid)/authTokens:generate", "{}").status == 401)
        #expect(try client.call(.delete, "installations/\(client.fid)", "", auth).status == 200)
        #expect(try client.call(.delete, "installations/\(client.fid)", "", auth).status == 404)
        #expect(try client.register().status == 401)
    }

    @Test func `an id is made if the client has none, and kept as it was sent otherwise`() throws {
        var client = FirebaseClient(fid: "")
        _ = try client.install()
        #expect(client.fid.utf8.count == 22 && "cdef".contains(client.fid.prefix(1)))
        client.fid = "ab+/cdefghijklmnopqrstu=="
        _ = try client.install()
        #expect(client.fid == "ab+/cdefghijklmnopqrstu==")
    }

    @Test func `a web app registers, refreshes and ends its token`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        let made = try client.register()
        let token = try #require(made.body["token"]?.string)
        #expect(made.status == 200 && token.hasPrefix("\(client.fid):APA91b") && token.utf8.count == 163)
        #expect(made.body["name"]?.string == "projects/shop/registrations/\(client.fid)")
        #expect(client.book.registrations[token]?.secret == [UInt8](repeating: 9, count: 16))
        #expect(
            try client.register(.patch, "registrations/\(token)", auth: client.authToken).body["token"]?.string == token
        )
        #expect(try client.register().body["token"]?.string == token)
        #expect(client.takeNews().count == 3)
        #expect(try client.register(.delete, "registrations/\(token)").status == 200)
        #expect(client.takeNews() == [.unregistered(token: token)])
        #expect(try client.register(.delete, "registrations/\(token)").status == 404)
        #expect(try client.register(.patch, "registrations/\(token)").status == 404)
    }

    @Test func `a token that moves to another subscription leaves the first one`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        let token = try #require(try client.register().body["token"]?.string)
        let other = #""endpoint":"https://x/sub:9","p256dh":"\#(Self.key)","auth":"\#(Self.secret)""#
        #expect(try client.register(.patch, "registrations/\(token)", web: other).status == 200)
        #expect(
            client.takeNews() == [
                .registered(token: token, subscription: "sub:1"), .unregistered(token: token),
                .registered(token: token, subscription: "sub:9"),
            ])
        client.book.end(subscription: "sub:1")
        #expect(client.book.registrations[token] != nil)
    }

    @Test func `the end of an installation ends its token`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        _ = try client.register()
        let auth = [("authorization", "FIS_v2 \(client.refreshToken)")]
        #expect(try client.call(.delete, "installations/\(client.fid)", "", auth).status == 200)
        #expect(client.book.registrations.isEmpty)
    }

    @Test func `only its own installation may move or end a token`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        let token = try #require(try client.register().body["token"]?.string)
        client.fid = "e000000000000000000000"
        _ = try client.install()
        #expect(try client.register(.patch, "registrations/\(token)").status == 404)
        #expect(try client.register(.delete, "registrations/\(token)").status == 404)
        #expect(client.book.registrations[token] != nil)
    }

    @Test func `a newer client ends its registration by the id of its installation`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        _ = try client.register()
        #expect(try client.register(.delete, "registrations/\(client.fid)").status == 200)
        #expect(client.book.registrations.isEmpty)
    }

    @Test func `the end of a subscription ends its token`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        let token = try #require(try client.register().body["token"]?.string)
        client.book.end(subscription: "sub:1")
        client.book.end(subscription: "sub:1")
        #expect(
            client.takeNews() == [.registered(token: token, subscription: "sub:1"), .unregistered(token: token)])
    }

    static let broken = [
        "", #""endpoint":"https://x/sub:2","p256dh":"\#(key)","auth":"\#(secret)""#,
        #""endpoint":"https://x/sub:1","p256dh":"AA","auth":"\#(secret)""#,
        #""endpoint":"https://x/sub:1","p256dh":"\#(key)","auth":"AA""#, #""endpoint":7"#,
    ]

    @Test(arguments: broken) func `a broken registration is refused`(web: String) throws {
        var client = FirebaseClient()
        _ = try client.install()
        let answer = try client.register(web: web)
        #expect(answer.status == 400 && answer.body["error"]?["status"]?.string == "INVALID_ARGUMENT")
    }

    @Test func `a token of an installation ends after seven days`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        #expect(try client.register(at: Self.now + 604_799_000).status == 200)
        #expect(try client.register(at: Self.now + 604_800_000).status == 401)
        for auth in ["", "FIS a.b.c", "x"] { #expect(try client.register(auth: auth).status == 401) }
    }

    @Test func `a token of an installation that someone else has made is refused`() throws {
        var client = FirebaseClient()
        _ = try client.install()
        let (first, parts) = (client.authToken, client.authToken.split(separator: "."))
        let forged = parts[0] + "." + parts[1] + "." + String(repeating: "A", count: 100)
        #expect(try client.register(auth: "FIS \(forged)").status == 401)
        _ = try client.install()
        #expect(try client.register(auth: "FIS \(first)").status == 200)
    }

    @Test func `a call without an API key is refused`() throws {
        var client = FirebaseClient()
        let body = #"{"fid":"","appId":"1:2:web:3"}"#
        for key in [nil, ""] {
            client.key = key
            let answer = try client.call(.post, "installations", body)
            #expect(answer.status == 403 && answer.body["error"]?["status"]?.string == "PERMISSION_DENIED")
        }
        #expect(try client.call(.post, "installations?key=any", body).status == 200)
    }

    @Test(arguments: [
        (Method.post, "installations/x"), (.delete, "installations"), (.post, "installations/x/y"),
        (.delete, "registrations"), (.post, "other"), (.post, "installations/x/authTokens:generate/z"),
    ])
    func `calls that Google does not have are not found`(method: Method, path: String) throws {
        var client = FirebaseClient()
        #expect(try client.call(method, path).status == 404)
    }
}
