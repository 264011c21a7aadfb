import APNs
import HTTPCore
import PushCore
import Testing

@Suite struct APNsDialectTests {
    static let token = String(repeating: "a1B2", count: 16)

    struct Case: Sendable, CustomStringConvertible {
        var description: String
        var reason: APNsReason?
        var method = "POST"
        var path = "/3/device/\(APNsDialectTests.token)"
        var authorization: String? = "bearer a.b.c"
        var topic: String? = "com.example.app"
        var body = "{}"
        var certificate = false
        var isOverLimit = false
    }

    static let cases = [
        Case(description: "a good push", reason: nil),
        Case(description: "a scheme in capitals", reason: nil, authorization: "BEARER a.b.c"),
        Case(description: "a certificate instead of a token", reason: nil, authorization: nil, certificate: true),
        Case(description: "GET", reason: .methodNotAllowed, method: "GET"),
        Case(description: "a method that comes before a bad path", reason: .methodNotAllowed, method: "HEAD", path: "/"),
        Case(description: "another path", reason: .badPath, path: "/3/devices/00"),
        Case(description: "a path below the token", reason: .badPath, path: "/3/device/\(token)/x"),
        Case(description: "no token", reason: .missingProviderToken, authorization: nil),
        Case(description: "another scheme", reason: .missingProviderToken, authorization: "basic a.b.c"),
        Case(description: "two parts", reason: .invalidProviderToken, authorization: "bearer a.b"),
        Case(description: "an empty part", reason: .invalidProviderToken, authorization: "bearer a..c"),
        Case(description: "auth before everything else", reason: .missingProviderToken, path: "/3/device/zz",
            authorization: nil, topic: nil, body: ""),
        Case(description: "no topic", reason: .missingTopic, topic: nil),
        Case(description: "an empty body", reason: .payloadEmpty, body: ""),
        Case(description: "a body over the limit", reason: .payloadTooLarge, isOverLimit: true),
        Case(description: "no device token", reason: .missingDeviceToken, path: "/3/device/"),
        Case(description: "a short device token", reason: .badDeviceToken, path: "/3/device/aaaa"),
        Case(description: "an odd device token", reason: .badDeviceToken, path: "/3/device/\(token)a"),
        Case(description: "no hex", reason: .badDeviceToken, path: "/3/device/\(token)zz"),
        Case(description: "200 digits", reason: nil, path: "/3/device/" + String(repeating: "0", count: 200)),
        Case(description: "202 digits", reason: .badDeviceToken, path: "/3/device/" + String(repeating: "0", count: 202)),
    ]

    @Test(arguments: cases) func `a push is refused by the first check that fails`(row: Case) {
        var headers = HeaderBlock([.method: row.method, .path: row.path])
        if let value = row.authorization { headers.append(.authorization, value) }
        if let value = row.topic { headers.append(.apnsTopic, value) }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(row.body.utf8)
        request.bodyIsOverLimit = row.isOverLimit
        switch APNsDialect().judge(request, hasClientCertificate: row.certificate) {
        case .accepted(let push):
            #expect(row.reason == nil)
            #expect(push.app == "com.example.app")
        case .refused(let reason, _): #expect(reason == row.reason)
        }
    }

    @Test func `the answer echoes an id byte for byte and mints one in capitals`() {
        var random = Random(seed: 7)
        let dialect = APNsDialect()
        let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        let own = Request(version: .http2, headers: HeaderBlock([.apnsID: id]))
        #expect(dialect.answerHeaders(to: own, using: &random).first(.apnsID)?.elementsEqual(id.utf8) == true)
        let none = Request(version: .http2, headers: HeaderBlock())
        let minted = dialect.answerHeaders(to: none, using: &random).first(.apnsID) ?? []
        #expect(minted.count == 36)
        #expect(!minted.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    }

    @Test func `an error has its reason as compact JSON and nothing else, a success no body`() {
        let dialect = APNsDialect()
        let refused = dialect.answer(.badDeviceToken, headers: HeaderBlock([.apnsID: "X"]))
        #expect(refused.status == 400)
        #expect(refused.headers.count == 1)
        guard case .bytes(let body) = refused.body else { return #expect(Bool(false), "no body") }
        #expect(body == Array(#"{"reason":"BadDeviceToken"}"#.utf8))
    }
}
