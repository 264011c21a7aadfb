import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// Misspelled words in the filters of an expectation.
struct FilterMistakeTests {
    static let mistakes: [(match: JSONValue, text: String, pointer: String)] = [
        (
            ["reason": "BadDeviceTokn"], "No push has the reason 'BadDeviceTokn'. Did you mean 'BadDeviceToken'?",
            "/reason"
        ),
        (["reason": "UNREGISTRED"], "No push has the reason 'UNREGISTRED'. Did you mean 'UNREGISTERED'?", "/reason"),
        (["reason": "BadJwtTokn"], "No push has the reason 'BadJwtTokn'. Did you mean 'BadJwtToken'?", "/reason"),
        (["rule": "fault.goaway"], "There is no rule 'fault.goaway'.", "/rule"),
        (["device": ""], "'device' must not be empty: is a variable not set?", "/device"),
        (["token": ""], "'token' must not be empty", "/token"),
        (["pushType": "alret"], "No push has the type 'alret'. Did you mean 'alert'?", "/pushType"),
        (
            ["rule": "apns.BadDeviceTokn"],
            "There is no rule 'apns.BadDeviceTokn'. Did you mean 'apns.BadDeviceToken'? 'pushpit rules' lists them.",
            "/rule"
        ),
        (["rule": "x"], "There is no rule 'x'. 'pushpit rules' lists them.", "/rule"),
        (["event": ["kind": "dropped", "why": "ios.x"]], "There is no rule 'ios.x'.", "/event/why"),
        (
            ["headers": ["apns-topc": "a"]],
            "Apple does not read a header field 'apns-topc'. Did you mean 'apns-topic'? Pushes with such a mistake have a finding",
            "/headers/apns-topc"
        ),
    ]

    @Test(arguments: mistakes) func `a misspelled word is refused, because nothing would match it`(
        row: (match: JSONValue, text: String, pointer: String)
    ) throws {
        for (body, place): (JSONValue, String) in [
            (["match": row.match, "never": true], "/match"), (["sequence": [[:], row.match]], "/sequence/1"),
        ] {
            let problem = try TestHost().problem(.post, "/expect", body)
            #expect(problem.status == 400 && problem.message.hasPrefix(row.text), "\(problem.message)")
            #expect(problem.pointer == place + row.pointer)
        }
    }

    @Test(
        arguments: [
            ["reason": "Unregistered"], ["reason": "SomethingNew"], ["reason": ["prefix": "BadDeviceTokn"]],
            ["rule": "apns.BadDeviceToken"], ["rule": "fault.custom"],
            ["reason": "VapidPkHashMismatch"], ["pushType": "brandnew"],
            ["headers": ["x-mine": "a", "Apns-Topic": "b"]],
        ] as [JSONValue]) func `known and really new words are accepted`(match: JSONValue) throws
    {
        try TestHost().ask(.post, "/expect", ["match": match, "never": true, "within": "0s"])
    }
}
