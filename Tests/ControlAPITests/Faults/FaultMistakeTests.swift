import HTTPCore
import JSON
import PushCore
import Testing

@testable import ControlAPI

/// Mistakes in a fault, which the control API refuses.
@Suite struct FaultMistakeTests {
    static let mistakes: [(JSONValue, String, String)] = [
        (
            ["efect": ["delay": "1s"]],
            "'efect' is unknown. Did you mean 'effect'? Use one of match, effect, times,", "/efect"
        ),
        (
            ["effect": ["wire": "429TooManyRequest"]],
            #"'wire' is "429TooManyRequest". Did you mean '429TooManyRequests'? It must be one of "#, "/effect/wire"
        ),
        (
            ["effect": ["delay": ["uniform": ["3s", "1s"]]]],
            #"'delay' must be a range whose first duration is not longer than the second; it is {"uniform":["3s","1s"]}."#,
            "/effect/delay"
        ),
        (
            ["effect": ["silence": true], "nth": 2, "every": 2],
            "'nth' cannot be combined with 'every', because 'nth' hits one request only.", "/nth"
        ),
        (
            ["effect": ["silence": true], "match": ["reason": "Unregisterd"]],
            "No request has the reason 'Unregisterd'. Did you mean 'Unregistered'? Use 'accepted',", "/match/reason"
        ),
        (
            ["effect": ["answer": ["status": 410, "reason": "Unregisterd"]]],
            "No service answers with the reason 'Unregisterd'. Did you mean 'Unregistered'? An answer of your own can be given with 'body'.",
            "/effect/answer/reason"
        ),
        (
            ["effect": [["delay": "1s"], ["answer": ["status": 503, "reason": "UNAVAILABL"]]]],
            "No service answers with the reason 'UNAVAILABL'. Did you mean 'UNAVAILABLE'?", "/effect/1/answer/reason"
        ),
        (
            ["effect": ["reset": "CANCL"]], #"'reset' is "CANCL". Did you mean 'CANCEL'? It must be one of NO_ERROR, "#,
            "/effect/reset"
        ),
        (
            ["effect": ["deliverAfter": "721h"]], "'deliverAfter' must be at most 720h; it is '721h'.",
            "/effect/deliverAfter"
        ),
        (
            ["effect": [["silence": true], ["delay": ["uniform": ["1s", "4294967295h"]]]]],
            "'delay' must be at most 720h; it is '4294967295h'.", "/effect/1/delay"
        ),
        (
            ["effect": ["acceptDelay": ["median": "2592000001ms"]]],
            "'acceptDelay' must be at most 720h; it is '2592000001ms'.", "/effect/acceptDelay"
        ),
        (
            ["effect": ["answer": ["status": 500, "headers": ["a": " b"]]]],
            #"'a' must be a string of printable ASCII, without a space at the start or end; it is " b"."#,
            "/effect/answer/headers/a"
        ),
        (
            ["effect": ["answer": ["status": 500, "headers": ["Connection": "x"]]]],
            "A fault cannot set 'connection'", "/effect/answer/headers/Connection"
        ),
        (
            ["effect": ["answer": ["status": 500, "headers": ["a\nb": "x"]]]],
            "is not a header name: use 1 to 40 letters", "/effect/answer/headers/a\nb"
        ),
        (["effect": ["silence": true], "times": 0], "to 1000000000; it is 0.", "/times"),
        (["effect": ["silence": true], "for": "soon"], #"250ms, 5s, 1m or 1h; it is "soon"."#, "/for"),
    ]

    @Test(arguments: mistakes) func `a mistake is refused with the wrong value and its place`(
        row: (fault: JSONValue, text: String, pointer: String)
    ) throws {
        let problem = try TestHost().problem(.post, "/faults", row.fault)
        #expect(problem.status == 400 && problem.message.contains(row.text), "\(problem.message)")
        #expect(problem.pointer == row.pointer)
    }

    @Test(arguments: ["delay", "deliverAfter", "acceptDelay"]) func `a delay of 30 days is accepted`(name: String)
        throws
    {
        let effect = JSONValue.object([(name, "720h")])
        try TestHost().ask(.post, "/faults", ["effect": effect], status: 201)
    }

    @Test(arguments: ["accepted", "Unregistered", "UNREGISTERED", "SENDER_ID_MISMATCH", "UNAUTHENTICATED", "INTERNAL"])
    func `a reason that an answer can have is accepted`(reason: String) throws {
        try TestHost().ask(
            .post, "/faults", ["match": ["reason": .string(reason)], "effect": ["silence": true]], status: 201)
    }
}
