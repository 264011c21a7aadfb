import APNs
import Devices
import Faults
import HTTPCore
import JSON
import PushCore

@testable import PushEngine

/// Pushes and calls to Apple's side.
extension EngineFixture {
    var providerToken: String { Self.providerToken(issuedAt: now.seconds) }

    /// A JWT whose signature is the byte that the fixture's verifier accepts.
    static func providerToken(issuedAt: Int64, key: String = "ABCDE12345", signature: [UInt8] = [1]) -> String {
        [
            Array(#"{"alg":"ES256","kid":"\#(key)"}"#.utf8), Array(#"{"iss":"TEAM567890","iat":\#(issuedAt)}"#.utf8),
            signature,
        ]
        .map { Base64URL.encode($0) }.joined(separator: ".")
    }

    /// The request of a push. Fields with an empty value are left out.
    func request(
        _ token: String = token, topic: String = app, _ fields: [String: String] = [:],
        body: String = #"{"aps":{"alert":"Hello"}}"#, method: String = "POST", path: String? = nil
    ) -> Request {
        var all = fields
        // One token for 50 minutes, as a provider would keep it.
        let issued = Self.start.seconds + (now.seconds - Self.start.seconds) / 3000 * 3000
        all["authorization"] = fields["authorization"] ?? "bearer \(Self.providerToken(issuedAt: issued))"
        all["apns-topic"] = fields["apns-topic"] ?? topic
        var headers = HeaderBlock([.method: method, .path: path ?? "/3/device/\(token)"])
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            headers.append(HeaderName(name), value)
        }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        return request
    }

    @discardableResult func push(
        _ token: String = token, topic: String = app, _ fields: [String: String] = [:],
        body: String = #"{"aps":{"alert":"Hello"}}"#, isSandbox: Bool = false
    ) -> Answer {
        decide(request(token, topic: topic, fields, body: body), isSandbox: isSandbox)
    }

    /// A push with these fields to the token that no device has.
    @discardableResult func push(_ fields: [String: String], topic: String = app, body: String? = nil) -> Answer {
        push(Self.token, topic: topic, fields, body: body ?? #"{"aps":{"alert":"Hello"}}"#)
    }

    /// A push to a device's own token.
    @discardableResult func push(
        to id: String, _ fields: [String: String] = [:], body: String = #"{"aps":{"alert":"Hello"}}"#
    ) -> Answer {
        push(apnsToken(id), topic: device(id).app, fields, body: body)
    }

    @discardableResult func decide(_ request: Request, isSandbox: Bool = false) -> Answer {
        var push = PushContext(request, at: now)
        let decision = engine.decide(&push, isSandbox: isSandbox, &connection)
        var answer = Self.answer(decision.response)
        answer.reason = answer.json?["reason"]?.string
        answer.fault = decision.fault?.id
        return answer
    }

    /// A call of the channel API, or a broadcast.
    @discardableResult func call(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String = "", isSandbox: Bool = false
    ) -> Answer {
        var fields = fields
        fields["apns-topic"] = ""
        return decide(request("", fields, body: body, method: method, path: path), isSandbox: isSandbox)
    }
}
