import APNs
import Credentials
import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing
import TLS

@testable import ControlAPI

/// Keys and accounts: shown without their secrets, and added while the gateway runs.
struct CredentialTests {
    private static let whole: JSONValue = [
        "keyId": "ABCDE12345", "teamId": "TEAM567890", "key": .string(text { try PrivateKey.generateP256().pem }),
    ]
    /// An RSA key takes a while to find.
    private static let rsa = JSONValue.string(text { try PrivateKey.generateRSA2048().pem })
    /// Made with `openssl genpkey`; it works for TLS but not for provider tokens.
    private static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCfwu7ru/uHL12MqIju
        EE8Wxo3yQZ4O18N3NWkfBjT4Pp7iKzTS9fnw1fnxMWXNwE+hZANiAAQySJLYfMTj
        jubYFDiBJjvhYMTdXeRpmS6uIoSI26UZ9jknTS30++Syx1O3cA2gIMcclKu7OvJ6
        OL5vVhxDnMXP7XjP8ujwFlPBH0ACYvzmwA2oTtY1dIFmWvXQU4ItmWU=
        -----END PRIVATE KEY-----
        """

    private static func text(_ pem: () throws -> [UInt8]) -> String {
        (try? pem()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func `keys are added and listed without their secrets`() throws {
        let host = TestHost()
        #expect(
            try host.ask(.get, "/credentials") == [
                "directory": "/etc/it's/certs", "ca": "/etc/it's/certs/ca.pem", "apnsKeys": [], "serviceAccounts": [],
                "next": nil,
            ])
        let limits: JSONValue = ["environment": "sandbox", "topics": ["a", "b"], "related": "ABCDE12345"]
        let limited = Self.whole.merging(limits).merging(["keyId": "ZBCDE12345"])
        let shown = (["keyId": "ZBCDE12345", "teamId": "TEAM567890"] as JSONValue).merging(limits)
        #expect(try host.ask(.post, "/credentials/apns-keys", limited, status: 201) == shown)
        let unlimited: JSONValue = ["keyId": "ABCDE12345", "teamId": "TEAM567890"]
        let whole = Self.whole.merging(["environment": nil, "topics": nil])
        #expect(try host.ask(.post, "/credentials/apns-keys", whole, status: 201) == unlimited)
        #expect(try host.ask(.get, "/credentials").at("apnsKeys") == [unlimited, shown])
        let first = try host.ask(.get, "/credentials?limit=1")
        #expect(first.at("apnsKeys") == [unlimited] && first.at("next") == "1")
        let last = try host.ask(.get, "/credentials?limit=1&cursor=1")
        #expect(last.at("apnsKeys") == [shown] && last.at("next") == .null)
        // The same id again replaces the key.
        #expect(
            try host.ask(.post, "/credentials/apns-keys", limited.without("topics", "related"), status: 201)
                == shown.without("topics", "related"))
        #expect(try host.ask(.get, "/credentials").at("apnsKeys").elements.count == 2)
    }

    @Test func `what was added can be removed again, once`() throws {
        let host = TestHost()
        try host.ask(.post, "/credentials/apns-keys", Self.whole, status: 201)
        let account: JSONValue = ["client_email": "sender@shop.example", "private_key": Self.rsa]
        try host.ask(.post, "/credentials/service-accounts", account, status: 201)
        for (path, what) in [
            ("apns-keys/ABCDE12345", "key 'ABCDE12345'"),
            ("service-accounts/sender@shop.example", "service account 'sender@shop.example'"),
        ] {
            try host.ask(.delete, "/credentials/\(path)", status: 204)
            let problem = try host.problem(.delete, "/credentials/\(path)")
            #expect(problem.status == 404 && problem.code == "notFound")
            #expect(problem.message == "No \(what) was added over this API.")
        }
        let left = try host.ask(.get, "/credentials")
        #expect(left.at("apnsKeys") == [] && left.at("serviceAccounts") == [])
    }

    @Test func `a public key is accepted too`() throws {
        let host = TestHost()
        let pem = Self.text { try PrivateKey.generateP256().publicKey.pem }
        try host.ask(.post, "/credentials/apns-keys", Self.whole.merging(["key": .string(pem)]), status: 201)
        #expect(host.keyring.providerKeys.keys.sorted() == ["ABCDE12345"])
    }

    static let badKeys: [(JSONValue, String)] = [
        ([:], "/keyId"), (whole.merging(["keyId": "short"]), "/keyId"),
        (whole.merging(["keyId": "ABCDE-2345"]), "/keyId"),
        (whole.merging(["teamId": 7]), "/teamId"), (whole.without("teamId"), "/teamId"),
        (whole.merging(["key": "x"]), "/key"),
        (whole.without("key"), "/key"), (whole.merging(["key": 7]), "/key"), (whole.merging(["key": rsa]), "/key"),
        (whole.merging(["key": .string(p384)]), "/key"),
        (whole.merging(["key": "-----BEGIN PUBLIC KEY-----\n"]), "/key"),
        (whole.merging(["environment": "moon"]), "/environment"), (whole.merging(["topics": []]), "/topics"),
        (whole.merging(["topics": [1]]), "/topics"), (whole.merging(["topics": ["x", ""]]), "/topics"),
        (whole.merging(["topics": [.string(String(repeating: "x", count: 256))]]), "/topics"),
        (whole.merging(["topics": .texts((0...400).map { "\($0)" })]), "/topics"),
        (whole.merging(["secret": 1]), "/secret"),
        (whole.merging(["related": "x"]), "/related"), (whole.merging(["related": 7]), "/related"),
    ]

    @Test(arguments: badKeys)
    func `a bad key is refused with the place of the error`(_ body: JSONValue, _ pointer: String) throws {
        let host = TestHost()
        let problem = try host.problem(.post, "/credentials/apns-keys", body)
        #expect(problem == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/credentials").at("apnsKeys") == [])
    }

    @Test func `a service account is added by its file`() throws {
        let host = TestHost()
        let account: JSONValue = ["type": "service_account", "client_email": "b@x.example", "private_key": Self.rsa]
        for email in ["b@x.example", "a@x.example"] {
            let body = account.merging(["client_email": .string(email)])
            let shown = try host.ask(.post, "/credentials/service-accounts", body, status: 201)
            #expect(shown == ["clientEmail": .string(email)])
        }
        #expect(try host.ask(.get, "/credentials").at("serviceAccounts") == ["a@x.example", "b@x.example"])
    }

    static let badAccounts: [(JSONValue, String)] = [
        ([], ""), ([:], "/client_email"), (["client_email": "", "private_key": rsa], "/client_email"),
        (["client_email": 7, "private_key": rsa], "/client_email"),
        (["client_email": .string(String(repeating: "x", count: 257)), "private_key": rsa], "/client_email"),
        (["client_email": "a@b"], "/private_key"), (["client_email": "a@b", "private_key": "x"], "/private_key"),
        (["client_email": "a@b", "private_key": 7], "/private_key"),
        // Google's accounts sign with RSA.
        (["client_email": "a@b", "private_key": whole["key"] ?? .null], "/private_key"),
    ]

    @Test(arguments: badAccounts)
    func `a bad account is refused with the place of the error`(_ body: JSONValue, _ pointer: String) throws {
        let host = TestHost()
        let problem = try host.problem(.post, "/credentials/service-accounts", body)
        #expect(problem == .init(status: 400, code: "badField", pointer: pointer))
        #expect(try host.ask(.get, "/credentials").at("serviceAccounts") == [])
    }

    /// Limits of a key, and what a push that is signed with it is answered.
    static let limits: [(JSONValue, JSONValue)] = [
        ([:], [200, nil]), (["environment": "production", "topics": [.string(TestHost.app)]], [200, nil]),
        (["environment": "sandbox"], [403, "BadEnvironmentKeyInToken"]),
        (["topics": ["com.example.other"]], [400, "TopicDisallowed"]),
    ]

    /// Of pushes before the key is known, and after that on the same connection and on a new one.
    private func results(_ host: TestHost, signedBy key: PrivateKey, adding body: JSONValue) throws -> [JSONValue] {
        let bearer = try host.bearer(signedBy: key, "ABCDE12345", "TEAM567890")
        func push() throws -> JSONValue {
            let answer = host.provide(
                .post, "/3/device/\(TestHost.token)", [("apns-topic", TestHost.app), ("authorization", bearer)],
                Array(#"{"aps":{"alert":"x"}}"#.utf8))
            return [.int(Int64(answer.status)), try answer.bytes.isEmpty ? .null : answer.json().at("reason")]
        }
        let before = try push()
        try host.ask(.post, "/credentials/apns-keys", body, status: 201)
        let same = try push()
        host.connection.session = APNsSession(environment: .production)
        return [before, same, try push()]
    }

    private static let unknown: JSONValue = [403, "InvalidProviderToken"]

    @Test(arguments: limits)
    func `a new key works from the next push on, and only for its purpose`(_ limits: JSONValue, _ result: JSONValue)
        throws
    {
        for isPublic in [false, true] {
            let key = try PrivateKey.generateP256()
            let pem = Self.text { isPublic ? try key.publicKey.pem : try key.pem }
            let body = Self.whole.merging(["key": .string(pem)]).merging(limits)
            let host = TestHost { $0.apns.auth = .strict }
            #expect(try results(host, signedBy: key, adding: body) == [Self.unknown, result, result])
        }
    }

    @Test func `a key does not verify what another one signed`() throws {
        let host = TestHost { $0.apns.auth = .strict }
        let results = try results(host, signedBy: PrivateKey.generateP256(), adding: Self.whole)
        #expect(results == [Self.unknown, Self.unknown, Self.unknown])
    }
}
