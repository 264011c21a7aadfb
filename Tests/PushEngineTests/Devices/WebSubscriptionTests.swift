import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine
@testable import Receivers

/// Web pushes to simulated browsers.
@Suite struct WebSubscriptionTests {
    /// An engine that makes keys, takes every signature as right, and decrypts by turning bytes around.
    private let fixture = EngineFixture { settings in
        settings.verifyWebPush = { _, _, _ in true }
        settings.makeWebPushKeys = {
            WebPushKeys(
                key: [4] + [UInt8](repeating: 7, count: 64), secret: [UInt8](repeating: 9, count: 16), privateKey: [1])
        }
        settings.openWebPush = { sealed, _ throws(SealedPush.Damage) in
            if sealed.body.first == 0 { throw SealedPush.Damage("it begins with 0") }
            return sealed.body.reversed()
        }
    }

    private func send(_ device: String, _ body: [UInt8], _ fields: [String: String] = [:]) throws -> WebPushAnswer {
        let subscription = try #require(fixture.engine.devices[fixture.slot(device)].subscription)
        return try send(to: "/fcm/send/\(subscription.token)", body, fields)
    }

    private func send(to path: String, _ body: [UInt8], _ fields: [String: String] = [:]) throws -> WebPushAnswer {
        var headers = HeaderBlock([.method: "POST", .path: path, .authority: "localhost"])
        let key = Base64URL.encode([4] + [UInt8](repeating: 8, count: 64))
        let expiry = fixture.now.seconds + 60
        let parts = [#"{"alg":"ES256"}"#, #"{"aud":"https://localhost","exp":\#(expiry)}"#, "x"]
        let usual = [
            "ttl": "60", "content-encoding": "aes128gcm",
            "authorization": "vapid t=\(parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")),k=\(key)",
        ]
        for (name, value) in usual.merging(fields, uniquingKeysWith: { $1 }) { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        request.body = body
        let id = fixture.engine.nextWebPush()
        let push = try #require(WebPush(request, id, at: fixture.now))
        return fixture.engine.send(push, base: "https://localhost", &fixture.connection.faults).answer
    }

    @Test func `a push is decrypted, delivered, and kept with what was seen of its encryption`() throws {
        fixture.make("w", .web)
        let answer = try send("w", Array(#"}"a":1{"#.utf8))
        #expect(answer.response.status == 201)
        #expect(fixture.take().suffix(2) == ["accepted p1 w 201", "delivered p1 w fcm.delivered"])
        fixture.engine.updateJournal()
        let found = fixture.engine.message(of: PushID(1))
        let message = try #require(found)
        var json = JSONWriter()
        message.write(to: &json)
        let shown = try JSONDocument(parsing: json.finish()).root
        #expect(shown["encryption"]?["bytes"]?.int == 7 && shown["encryption"]?["encoding"]?.string == "aes128gcm")
        #expect(shown["request"]?["headers"]?.elements.contains { $0[0]?.string?.hasPrefix(":") == true } == false)
        #expect(String(decoding: message.request.body, as: UTF8.self) == #"{1:"a"}"#)
    }

    @Test func `a push that can't be decrypted is accepted and dropped, with a finding`() throws {
        fixture.make("w", .web)
        #expect(try send("w", [0, 1]).response.status == 201)
        #expect(fixture.take().suffix(2).contains { $0.hasPrefix("dropped p1 w browser.unreadable") })
        #expect(try send("w", [1], ["content-encoding": "gzip"]).response.status == 201)
        #expect(fixture.take().last?.hasPrefix("dropped p2 w browser.unreadable") == true)
        // Without a body there is nothing to decrypt.
        #expect(try send("w", []).response.status == 201)
        #expect(fixture.take().last == "delivered p3 w fcm.delivered")
    }

    @Test func `the end of the device, of its app or of the permission ends the subscription`() throws {
        for (number, end) in ["delete", "uninstall", "permission"].enumerated() {
            let name = "w\(number)"
            fixture.make(name, .web)
            let slot = fixture.slot(name)
            let token = try #require(fixture.engine.devices[slot].subscription?.token)
            switch end {
            case "delete": fixture.engine.deleteDevice(slot, at: fixture.now)
            case "uninstall": fixture.engine.uninstall(slot, at: fixture.now)
            default:
                let patch = try JSONDocument(parsing: Array(#"{"permission":"denied"}"#.utf8)).root
                try fixture.engine.patchState(slot, patch, at: fixture.now)
            }
            #expect(try send(to: "/wpush/v2/\(token)", [1]).response.status == 410, "\(end)")
        }
    }

    @Test func `an app that is installed again has another endpoint at the same service`() throws {
        fixture.make("w", .web, #""subscription":{"pushService":"mozilla"}"#)
        let slot = fixture.slot("w")
        let old = try #require(fixture.engine.devices[slot].subscription)
        fixture.engine.uninstall(slot, at: fixture.now)
        try fixture.engine.install(slot, at: fixture.now)
        let new = try #require(fixture.engine.devices[slot].subscription)
        #expect(new.token != old.token && new.service == old.service)
        #expect(try send(to: "/wpush/v2/\(old.token)", [1]).response.status == 410)
        #expect(try send(to: "/wpush/v2/\(new.token)", []).response.status == 201)
    }

    @Test func `a real browser without a device gets its pushes`() throws {
        let session = ClientID(slot: 1, generation: 1)
        let id = fixture.engine.realReceivers.mozilla.connect(nil, session) ?? ""
        let endpoint = fixture.engine.realReceivers.mozilla.subscribe("c", of: id, key: nil, base: "") ?? ""
        // The news of the subscription, which make the device, are lost.
        _ = fixture.engine.realReceivers.takeNews()
        #expect(try send(to: endpoint, [1]).response.status == 201)
        #expect(fixture.engine.realReceivers.takeWoken() == [session])
    }

    @Test func `a subscription is saved`() throws {
        fixture.make("w", .web)
        let bytes = try #require(fixture.engine.encodedDevices([DeviceID("w")]).first?.bytes)
        var snapshot = EngineSnapshot()
        snapshot.devices = [bytes]
        let other = EngineFixture()
        try other.engine.restore(snapshot)
        let before = try #require(fixture.engine.devices[fixture.slot("w")].subscription)
        let after = try #require(other.engine.devices[other.slot("w")].subscription)
        #expect(after.token == before.token && after.key == before.key && after.privateKey == before.privateKey)
        #expect(other.engine.subscribers[after.token] == DeviceID("w"))
    }

    @Test func `faults change the answer, the number of deliveries and their time`() throws {
        fixture.make("w", .web)
        _ = fixture.take()
        func hit(_ effect: String) throws -> (Int, [String]) {
            try fixture.fault(#"{"match":{"provider":"webpush"},"effect":\#(effect),"times":1}"#)
            let answer = try send("w", [1])
            return (
                answer.response.status, fixture.take().map { $0.split(separator: " ").first.map(String.init) ?? "" }
            )
        }
        #expect(try hit(#"{"answer":{"status":410}}"#) == (410, ["refused", "fault"]))
        #expect(try hit(#"{"deliver":2}"#) == (201, ["accepted", "delivered", "delivered", "fault"]))
        #expect(try hit(#"{"deliver":0}"#) == (201, ["accepted", "fault"]))
        #expect(
            try hit(#"[{"deliver":1},{"answer":{"status":503}}]"#) == (503, ["accepted", "delivered", "fault"]))
        #expect(try hit(#"{"deliverAfter":"5s"}"#) == (201, ["accepted", "fault"]))
        fixture.advance(6000)
        #expect(fixture.take() == ["delivered p5 w fcm.delivered"])
    }

    static let wrong: [(spec: String, place: String)] = [
        (#"{"subscription":7}"#, "/subscription"), (#"{"subscription":{"x":1}}"#, "/subscription/x"),
        (#"{"subscription":{"keys":{"p256dh":"AA"}}}"#, "/subscription/keys/p256dh"),
        (#"{"subscription":{"keys":{"auth":"AA"}}}"#, "/subscription/keys/auth"),
        (#"{"subscription":{"keys":{"auth":"?"}}}"#, "/subscription/keys/auth"),
        (#"{"subscription":{"pushService":"bing"}}"#, "/subscription/pushService"),
        (#"{"subscription":{"applicationServerKey":"AA"}}"#, "/subscription/applicationServerKey"),
        (#"{"platform":"ios","subscription":{}}"#, "/subscription"),
    ]

    @Test(arguments: wrong.indices) func `a wrong subscription is refused with its place`(_ index: Int) throws {
        let json = try JSONDocument(parsing: Array(Self.wrong[index].spec.utf8)).root
        let problem = #expect(throws: DeviceProblem.self) { _ = try DeviceSpec(json, at: "") }
        #expect(problem?.pointer == Self.wrong[index].place)
    }
}
