import Gateway
import HTTPCore
import JSON
import PushCore
import Testing

@testable import pushpit

/// What `pushpit send` says about the devices, and about faults.
@Suite struct SendReportTests {
    private func lines(_ devices: String) throws -> [String] {
        let json = try JSONDocument(parsing: Array(devices.utf8)).root
        return DeviceLines.text(of: json).split(separator: "\n").map(String.init)
    }

    @Test func `each device has a line, with the remedy and why there is no image`() throws {
        let text = try lines(
            #"""
            [{"device":"d1","name":"d1","platform":"ios","did":"presented","missingImage":
              {"rule":"ios.not-mutable","reason":"mutable-content is not 1","remedy":"Set it."}},
             {"device":"d2","name":"Anna","platform":"android","did":"waiting: the device is offline","remedy":"Bring it online."}]
            """#)
        #expect(
            text == [
                "device d1 (ios): presented", "no image: mutable-content is not 1 [ios.not-mutable]", "  fix: Set it.",
                "device d2 Anna (android): waiting: the device is offline", "  fix: Bring it online.",
            ])
    }

    @Test func `of many devices the first ten have lines`() throws {
        let devices = (1...12).map { #"{"device":"d\#($0)","platform":"web","did":"delivered"}"# }
        let text = try lines("[\(devices.joined(separator: ","))]")
        #expect(text.count == 11 && text.last == "and 2 other devices")
        #expect(try lines("[]") == [])
    }

    @Test func `text of others stays on its line`() throws {
        let text = try lines(#"[{"device":"d1\nforged","name":"a\u001b[31m","platform":"ios","did":"x\ny"}]"#)
        #expect(text.count == 1 && !text[0].contains("\u{1B}"), "\(text)")
    }

    @Test func `the newest fault of the last seconds is found in the events`() {
        func stream(_ times: String...) -> [UInt8] {
            let events = times.enumerated().map {
                "id: \($0)\nevent: fault\ndata: {\"time\":\"\($1)\",\"kind\":\"fault\",\"data\":{\"fault\":\"f\($0 + 1)\"}}\n\n"
            }
            return Array(events.joined().utf8)
        }
        let start = Timestamp(milliseconds: 1_800_000_000_000)
        let (old, new) = ("2027-01-15T07:59:59.999Z", "2027-01-15T08:00:00.000Z")
        #expect(FaultTrace.newestFault(in: stream(old, new), since: start) == "f2")
        #expect(FaultTrace.newestFault(in: stream(new, old), since: start) == nil)
        #expect(FaultTrace.newestFault(in: stream(), since: start) == nil)
        #expect(FaultTrace.newestFault(in: Array("data: x".utf8), since: start) == nil)
    }

    @Test func `a fault is named with its effect and how to remove it`() {
        let trace = FaultTrace(id: "f1", effect: #"{"reset":"CANCEL"}"#)
        #expect(
            trace.sentence == #"the fault f1 ({"reset":"CANCEL"}) caused this; DELETE /api/v1/faults/f1 removes it"#)
        #expect(FaultTrace(id: "f2", effect: nil).sentence.hasPrefix("the fault f2 caused this; "))
    }

    @Test func `a 5xx answer of the token endpoint is explained`() {
        var push = SentPush(provider: .fcm, body: Array("{}".utf8), answer: Response(status: 503))
        #expect(Explanation.text(of: push, nil) == "")
        push.isFromTokenEndpoint = true
        let text = Explanation.text(of: push, nil, FaultTrace(id: "f1", effect: nil))
        #expect(
            text == """
                note: /token, which gives access tokens, answered 503, so the message was not sent
                note: the fault f1 caused this; DELETE /api/v1/faults/f1 removes it

                """)
    }
}
