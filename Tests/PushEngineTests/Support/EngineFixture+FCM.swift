import FCM
import Faults
import HTTPCore
import JSON
import PushCore

@testable import PushEngine

/// Messages and calls to Google's side.
extension EngineFixture {
    /// Sends a message: the members of `message` as JSON, without braces.
    @discardableResult func message(
        _ members: String, project: String = project, _ fields: [String: String] = [:], isDryRun: Bool = false
    ) -> Answer {
        google(
            "POST", "/v1/projects/\(project)/messages:send", fields,
            body: #"{"message":{\#(members)}\#(isDryRun ? #","validateOnly":true"# : "")}"#)
    }

    /// Any call of Google's.
    @discardableResult func google(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: String = ""
    ) -> Answer {
        var headers = HeaderBlock([
            .method: method, .path: path, .authority: "fcm.googleapis.com", .contentType: "application/json",
        ])
        var all = fields
        all["authorization"] = fields["authorization"] ?? "Bearer unknown"
        for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            headers.append(HeaderName(name), value)
        }
        var request = Request(version: .http2, headers: headers)
        request.body = Array(body.utf8)
        let decision = engine.answerGoogle(request, &connection.faults, at: now, systemTime: now)
        var answer = Self.answer(decision.answer.response)
        let error = answer.json?["error"]
        let code = error?["details"]?.elements.compactMap { $0["errorCode"]?.string }.first
        answer.reason = code ?? error?["status"]?.string ?? error?.string
        answer.fault = decision.fault?.id
        return answer
    }

    /// A message to a device's own token.
    @discardableResult func message(to id: String, _ members: String = #""data":{"a":"b"}"#, project: String = project)
        -> Answer
    {
        message(#""token":"\#(fcmToken(id))"\#(members.isEmpty ? "" : ",")\#(members)"#, project: project)
    }

    /// Signs in as a service account does. Nil if that is refused.
    func accessToken(for account: String, signature: [UInt8] = [1]) -> String? {
        let claims = """
            {"iss":"\(account)","scope":"https://www.googleapis.com/auth/firebase.messaging",\
            "aud":"https://oauth2.googleapis.com/token","iat":\(now.seconds),"exp":\(now.seconds + 3600)}
            """
        let assertion = [Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8), Array(claims.utf8), signature]
            .map { Base64URL.encode($0) }.joined(separator: ".")
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        return google("POST", "/token", body: form).json?["access_token"]?.string
    }
}

extension EngineFixture.Answer {
    /// Apple's status and reason, if the answer has them.
    var appleError: String? {
        let details = json?["error"]?["details"]?.elements.map(\.self) ?? []
        let error = details.first { $0["@type"]?.string?.hasSuffix("fcm.v1.ApnsError") == true }
        return error.map { "\($0["statusCode"]?.exactInteger ?? 0) \($0["reason"]?.string ?? "")" }
    }
}
