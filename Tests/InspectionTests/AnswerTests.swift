import JSON
import PushCore
import TLS
import Testing

@testable import Inspection

/// What the reports say besides their problems: facts, answers, and no secrets.
struct AnswerTests {
    private static func answers(_ text: String) -> [String] {
        Fixtures.inspect(text).answers.map { "\($0.service) \($0.text) (\($0.evidence.rawValue))" }
    }

    @Test func `answers name the reason of the service and the evidence`() {
        let rows: [(String, String)] = [
            (Fixtures.providerToken(issued: "1"), "APNs 403 ExpiredProviderToken (documented)"),
            (
                Fixtures.providerToken(issued: "\(Fixtures.seconds + 9000)"),
                "APNs 403 InvalidProviderToken (assumed)"
            ),
            (Fixtures.providerToken(issuer: #""x""#), "APNs 403 InvalidProviderToken (documented)"),
            (
                Fixtures.certificate(.development),
                #"APNs ends the connection with a GOAWAY {"reason":"BadCertificateEnvironment"} (observed)"#
            ),
            (
                Fixtures.deviceToken,
                "APNs 400 BadDeviceToken, if it is sent to the host of the other environment (documented)"
            ),
            (Fixtures.deviceToken + "a", "APNs 400 BadDeviceToken (documented)"),
            (Fixtures.fcmToken, "FCM 403 SENDER_ID_MISMATCH, if it belongs to another project (observed)"),
            (#"{"message":{"token":"x"}}"#, "FCM 400 INVALID_ARGUMENT (observed)"),
            (
                #"{"aps":{"alert":"\#(String(repeating: "x", count: 4097))"}}"#,
                "APNs 413 PayloadTooLarge, unless it is a VoIP push (documented)"
            ),
            (#"{"aps":{"alert":"\#(String(repeating: "x", count: 5121))"}}"#, "APNs 413 PayloadTooLarge (documented)"),
            (#"{"aps":{"alert":1}}"#, "APNs 200: Apple does not check what a payload means (observed)"),
        ]
        for (text, answer) in rows {
            let found = Self.answers(text)
            #expect(found.contains(answer), "\(found)")
        }
    }

    @Test func `facts are ids, times and fingerprints`() throws {
        let fingerprint = Hex.encode(try PrivateKey(pem: Fixtures.key).publicKey.fingerprint)
        let key = Fixtures.inspect(Fixtures.text(Fixtures.key), name: "AuthKey_ABCDE12345.p8")
        #expect(
            key.facts == [
                "private key: EC on P-256", "SHA-256 of the public key: \(fingerprint)",
                "key id, by the file's name: ABCDE12345",
            ])
        let token = Fixtures.inspect(Fixtures.providerToken())
        #expect(
            token.facts == [
                "key id (kid): ABCDE12345", "team id (iss): TEAM567890", "signed at (iat): 2027-01-15T08:00:00Z",
            ])
        #expect(Fixtures.inspect(Fixtures.account()).facts.contains("project: 'shop'"))
        #expect(Fixtures.inspect(Fixtures.services()).facts.contains("package: 'com.example.shop'"))
        #expect(Fixtures.inspect(Fixtures.certificate()).facts.contains("default topic: 'com.example.app'"))
        let topic = Fixtures.inspect("com.example.app.push-type.liveactivity").facts
        #expect(topic == ["app: com.example.app", "push type: liveactivity"])
    }

    @Test func `a wrong value is in quotes once`() {
        let report = Fixtures.inspect(Fixtures.providerToken(issuer: #""com.example.app""#))
        #expect(report.problems[0].message.hasPrefix("The token's iss is 'com.example.app', but"))
        #expect(Fixtures.inspect(Fixtures.providerToken(issuer: "7")).problems[0].message.contains("iss is '7', but"))
    }

    /// A name in a file cannot look like a line of ours.
    @Test func `control characters of the input are escaped`() {
        let report = Fixtures.inspect(Fixtures.account(["project_id": "a\\n\\u001b[31mb"]))
        #expect(report.facts.contains(#"project: 'a\u000a\u001b[31mb'"#))
    }

    @Test func `no report contains a part of a secret`() {
        for example in Example.all {
            let report = Inspector.inspect(InspectionInput(example.bytes, name: example.name), at: Fixtures.now).report
            var json = JSONWriter()
            report.write(to: &json)
            let text = Fixtures.text(json.finish())
            for secret in [Fixtures.key, Fixtures.otherKey, Fixtures.rsa] {
                for line in Fixtures.text(secret).split(separator: "\n") where line.count == 64 {
                    #expect(!text.contains(line), "\(example.rule)")
                }
            }
            #expect(!text.contains("APA91b"), "\(example.rule)")
            #expect(!text.contains(Fixtures.deviceToken), "\(example.rule)")
        }
    }

    @Test func `the password of a PKCS12 file is taken from the input`() {
        let file = Fixtures.pkcs12(password: "secret")
        let opened = Inspector.inspect(InspectionInput(file, passwords: ["no", "secret"]), at: Fixtures.now).report
        #expect(opened.kind == "pkcs12" && !opened.hasErrors, "\(opened)")
        #expect(opened.facts.contains("default topic: 'com.example.app'"))
        let usual = Inspector.inspect(InspectionInput(Fixtures.pkcs12(password: "pushpit")), at: Fixtures.now).report
        #expect(!usual.hasErrors, "\(usual)")
    }

    @Test(arguments: [OpenSSLFiles.oldCipher, OpenSSLFiles.rc2]) func `what is encrypted with RC2 is read`(
        file: [UInt8]
    ) {
        let report = Inspector.inspect(InspectionInput(file, passwords: ["", "secret"]), at: Fixtures.now).report
        #expect(report.kind == "pkcs12" && report.facts.contains { $0.hasPrefix("subject:") }, "\(report)")
        #expect(report.problems.contains { $0.rule == "pkcs12.old-cipher" })
    }

    @Test func `a PKCS12 file is opened in steps, and then inspected`() {
        let inspection = GradualInspection(InspectionInput(Fixtures.pkcs12(password: "pushpit")))
        var steps = 0
        while true {
            steps += 1
            guard let inspected = inspection.advance(at: Fixtures.now) else { continue }
            #expect(inspected.report.kind == "pkcs12" && !inspected.report.hasErrors)
            break
        }
        // Finding the file, 3 attempts, 2 safes, 2 bags, the end, and the report.
        #expect(steps == 10)
        let text = GradualInspection(InspectionInput(Array("{}".utf8)))
        #expect(text.advance(at: Fixtures.now) != nil)
    }

    @Test func `errors come before warnings and notes`() {
        let text = "bearer \(Fixtures.providerToken(issuer: #""x""#))"
        #expect(Fixtures.inspect(text).problems.map(\.severity) == [.error, .note])
    }
}
