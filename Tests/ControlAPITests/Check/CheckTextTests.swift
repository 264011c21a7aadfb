import HTTPCore
import JSON
import PushCore
import Testing

@testable import ControlAPI

/// `/check` explains a refusal: what the rule says, and what to do about it.
struct CheckTextTests {
    @Test(
        arguments: [
            (
                ["topic": "a/b"], "The topic name 'a/b' contains '/', which is not allowed.",
                "Use letters, digits and -_.~%"
            ),
            (
                ["token": "x"], "The token has no colon, but a registration token looks like",
                "Send the token as the app got it."
            ),
            (
                ["topic": "t", "android": ["priority": "urgent"]],
                #"Invalid value at 'message.android.priority' (type.googleapis.com"#, "Run 'pushpit rules"
            ),
        ] as [(JSONValue, String, String)])
    func `a refused message is explained in words of our own`(_ message: JSONValue, _ meaning: String, _ remedy: String)
        throws
    {
        let checked = try TestHost().ask(.post, "/check/fcm", ["message": message])
        #expect(checked.at("message").text?.hasPrefix(meaning) == true, "\(checked)")
        #expect(checked.at("remedy").text?.hasPrefix(remedy) == true, "\(checked)")
    }

    @Test func `a value of the wrong type is named in words of our own`() throws {
        let message: JSONValue = [
            "token": .string("c0Installation00000001:APA91" + String(repeating: "x", count: 134)),
            "apns": ["payload": ["aps": ["badge": "x"]]],
        ]
        let checked = try TestHost().ask(.post, "/check/fcm", ["message": message])
        #expect(checked.at("message").text == "'badge' in aps must be a number, but it is a string.")
        #expect(checked.at("answer").text?.contains("badge") == true, "\(checked)")
    }

    @Test func `a conversion error says what would be right`() throws {
        let message: JSONValue = ["topic": "t", "android": ["priority": "urgent", "ttl": "60"], "data": ["n": 7]]
        let checked = try TestHost().ask(.post, "/check/fcm", ["message": message])
        for right in ["Use NORMAL or HIGH.", #"like "3600s"."#, "All values of this object must be strings"] {
            #expect(checked.at("message").text?.contains(right) == true, "\(checked)")
        }
        let answer = TestHost().send(raw: (["message": message] as JSONValue).bytes)
        #expect(try answer.json().at("error", "message").text?.contains("NORMAL") == false)
    }

    @Test func `a refused push has a remedy`() throws {
        let checked = try TestHost().ask(.post, "/check/apns", ["body": ["aps": [:]]])
        #expect(checked.at("remedy").text?.hasPrefix("Add apns-topic") == true, "\(checked)")
    }

    @Test func `a message is checked as one of the device's project`() throws {
        let host = TestHost()
        let token = try host.makeDevice("android", app: "com.example.app", ["project": "demo"]).at(
            "tokens", "fcm", "token")
        let message: JSONValue = ["message": ["token": token, "notification": ["title": "x"]]]
        #expect(try host.ask(.post, "/check/fcm", message).at("outcome") == "accepted")
    }
}
