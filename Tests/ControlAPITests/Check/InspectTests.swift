import HTTPCore
import JSON
import PushCore
import TLS
import Testing

@testable import ControlAPI

/// `POST /inspect`. What the reports say is tested in InspectionTests.
struct InspectTests {
    private static let token = String(repeating: "a1b2c3d4", count: 8)

    @Test func `a text and the same bytes in base64 get the same report`() throws {
        let host = TestHost()
        let expected = try host.ask(.post, "/inspect", ["text": .string(Self.token)])
        #expect(expected.at("kind") == "apns-device-token" && expected.at("problems") == [])
        #expect(
            expected.at("answers", 0) == [
                "service": "APNs", "answer": "400 BadDeviceToken, if it is sent to the host of the other environment",
                "evidence": "documented",
            ])
        let base64 = "YTFiMmMzZDRhMWIyYzNkNGExYjJjM2Q0YTFiMmMzZDRhMWIyYzNkNGExYjJjM2Q0YTFiMmMzZDRhMWIyYzNkNA=="
        for text in [base64, String(base64.dropLast(2))] {
            #expect(try host.ask(.post, "/inspect", ["base64": .string(text)]) == expected)
        }
    }

    @Test func `the name of a file is used`() throws {
        let pem = try String(decoding: PrivateKey.generateP256().pem, as: UTF8.self)
        let host = TestHost()
        let named = try host.ask(.post, "/inspect", ["text": .string(pem), "name": "AuthKey_ABCDE12345.p8"])
        #expect(named.at("facts", 2) == "key id, by the file's name: ABCDE12345")
        let other = try host.ask(.post, "/inspect", ["text": .string(pem), "name": "key.p8"])
        #expect(other.at("problems", 0, "rule") == "key.file-name")
        #expect(other.at("problems", 0, "severity") == "warning")
    }

    @Test func `the gateway's clock counts`() throws {
        let host = TestHost()
        let header = Base64URL.encode(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8)
        let claims = Base64URL.encode(#"{"iss":"TEAM567890","iat":1800000000}"#.utf8)
        let body: JSONValue = ["text": .string("\(header).\(claims).\(String(repeating: "A", count: 86))")]
        #expect(try host.ask(.post, "/inspect", body).at("problems") == [])
        host.moveClock(.to(Timestamp(milliseconds: 1_800_003_601_000)))
        #expect(try host.ask(.post, "/inspect", body).at("problems", 0, "rule") == "jwt.expired")
    }

    @Test(
        arguments: [
            ([:], "/text"), (["text": "a", "base64": "YQ=="], "/base64"), (["base64": "*"], "/base64"),
            (["base64": "Y"], "/base64"), (["text": 7], "/text"), (["text": "a", "name": ""], "/name"),
            (["text": "a", "file": "/etc/passwd"], "/file"), (["text": "a", "password": "x"], "/password"),
        ] as [(JSONValue, String)]) func `a body without exactly one content is refused`(
            body: JSONValue, pointer: String
        ) throws
    {
        let problem = try TestHost().problem(.post, "/inspect", body)
        #expect(problem == .init(status: 400, code: "badField", pointer: pointer), "\(problem)")
    }
}
