import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The query parameters that all of Google's APIs have: `fields`, `alt`, `$.xgafv` and `key`.
@Suite struct SystemParameterTests {
    private static let message = #"{"message":{"topic":"a"}}"#

    @Test(arguments: ["$.xgafv=0", "$.xgafv=", "$.xgafv=01", "%24.xgafv=x", "alt=zzz", "$alt=xml;x=1"])
    func `a format that Google does not know is refused before the credentials are read`(query: String) throws {
        for headers in [[("authorization", "Bearer a{b}")], [("authorization", "")]] {
            var sender = FCMSender()
            let decision = sender.post(FCMCase.send(Self.message, query: "?" + query, headers: headers))
            #expect(decision.rule == "fcm.query")
            #expect(decision.status == 400)
            #expect(decision.delivery == nil)
        }
    }

    @Test(arguments: [
        ("$.xgafv=3", "Invalid query parameters. Invalid value '3' for system query parameter : $.xgafv"),
        ("alt=zzz", #"Invalid value "zzz" for query parameter 'alt'"#),
        ("alt=media", #"Unsupported alt type "media" for non byte stream request."#),
        ("fields=nam", "Request contains an invalid argument."),
    ]) func `each refusal has Google's text`(query: String, text: String) throws {
        var sender = FCMSender()
        let error = try FCMCase.document(sender.post(FCMCase.send(Self.message, query: "?" + query)).response.text).root
        #expect(error["error"]?["message"]?.string == text)
        #expect(error["error"]?["status"]?.string == "INVALID_ARGUMENT")
    }

    @Test func `alt=media is refused after the credentials`() {
        var sender = FCMSender()
        let request = FCMCase.send(Self.message, query: "?alt=media", headers: [("authorization", "Bearer a{b}")])
        #expect(sender.post(request).rule == "fcm.credentials-invalid")
    }

    @Test(arguments: [
        "alt=json", "$alt=json;enum-encoding=int", "%24alt=json%3Benum-encoding%3Dint", "alt=json&alt=x", "alt=",
    ])
    func `JSON can be asked for in several ways`(query: String) {
        var sender = FCMSender()
        #expect(sender.post(FCMCase.send(Self.message, query: "?" + query)).status == 200)
    }

    @Test(arguments: [
        ("fields=name", ["name"]), ("fields=*", ["name"]), ("fields=", ["name"]), ("fields=name,", ["name"]),
        ("$fields=token,name", ["name"]), ("fields=token", []), ("fields=data/anything,android.ttl", []),
        ("fields=android(notification(title,body),ttl)", []), ("fields=fcm_options.analytics_label", []),
        ("fields=name&fields=token", ["name"]),
    ]) func `a mask selects the members of the answer`(query: String, members: [String]) throws {
        var sender = FCMSender()
        for suffix in ["", "&prettyPrint=false"] {
            let decision = sender.post(FCMCase.send(Self.message, query: "?" + query + suffix))
            #expect(decision.status == 200)
            #expect(decision.delivery != nil)
            let text = decision.response.text
            #expect(try FCMCase.document(text).root.members.map(\.key.string) == members)
            #expect(text.hasSuffix("\n") == suffix.isEmpty)
        }
    }

    @Test(arguments: [
        ("nam", "nam"), ("name,nam", "nam"), ("android(ttl,x)", "android.x"), ("name/x", "name.x"),
        ("Name", "Name"), ("android(ttl", "android(ttl"), ("name)", "name)"), ("*,x", "x"),
    ]) func `a mask of other members is refused, and nothing is sent`(mask: String, path: String) throws {
        var sender = FCMSender()
        let decision = sender.post(FCMCase.send(Self.message, query: "?fields=" + mask))
        #expect(decision.rule == "fcm.query")
        #expect(decision.delivery == nil)
        let details = try FCMCase.document(decision.response.text).root["error"]?["details"]
        #expect(details?.count == 1)
        let violation = details?[0]?["fieldViolations"]?[0]
        #expect(violation?["field"]?.string == mask)
        #expect(
            violation?["description"]?.string
                == "Error expanding 'fields' parameter. Cannot find matching fields for path '\(path)'.")
    }

    @Test func `a long or deep mask is refused`() {
        for mask in [String(repeating: "name,", count: 401), String(repeating: "data/", count: 30) + "x"] {
            var sender = FCMSender()
            #expect(sender.post(FCMCase.send(Self.message, query: "?fields=" + mask)).rule == "fcm.query")
        }
        #expect(FieldMask(String(repeating: "(", count: 1999)) == nil)
    }

    @Test func `a list is masked element by element`() throws {
        let query = GoogleQuery(FCMCase.request(.get, "/x?fields=topicSubscriptions(topic_name),nextPageToken"))
        try query.check(answer: .subscriptions)
        let answer = query.answer { json in
            json.key("topicSubscriptions")
            json.array { json in
                for name in ["a", "b"] {
                    json.object { json in
                        json.member("name", "x")
                        json.member("topicName", name)
                    }
                }
            }
        }
        #expect(
            try JSONValue(FCMCase.document(answer.text).root)
                == ["topicSubscriptions": [["topicName": "a"], ["topicName": "b"]]])
    }

    @Test func `an empty answer has no members`() {
        let query = GoogleQuery(FCMCase.request(.delete, "/x?fields=name"))
        #expect(throws: GoogleError.self) { try query.check(answer: .nothing) }
    }

    @Test(arguments: [("?key=k", []), ("?$key=", []), ("", [("x-goog-api-key", "k")])])
    func `an API key alone is not enough`(query: String, headers: [(String, String)]) throws {
        var sender = FCMSender()
        let decision = sender.post(
            FCMCase.request(
                .post, "/v1/projects/demo/messages:send\(query)", body: Self.message,
                headers: headers.map { (name: $0, value: $1) }))
        #expect(decision.status == 401)
        #expect(decision.rule == "fcm.key-alone")
        let error = try FCMCase.document(decision.response.text).root["error"]
        #expect(error?["message"]?.string?.hasPrefix("API keys are not supported by this API.") == true)
        #expect(error?["status"]?.string == "UNAUTHENTICATED")
        #expect(error?["details"]?[0]?["reason"]?.string == "CREDENTIALS_MISSING")
        #expect(decision.response.values("www-authenticate").count == 1)
    }

    @Test func `a key beside an access token is not needed`() {
        var sender = FCMSender()
        #expect(sender.post(FCMCase.send(Self.message, query: "?key=k")).status == 200)
        let request = FCMCase.request(
            .post, "/v1/projects/demo/messages:send?key=k&access_token=ya29.a", body: Self.message)
        #expect(sender.post(request).status == 200)
    }

    @Test(arguments: [
        ("", "Login Required.", "required"), ("Bearer a{b}", "Invalid Credentials", "authError"),
    ]) func `error format 1 names the header of a missing or invalid token`(field: String, text: String, reason: String)
        throws
    {
        var sender = FCMSender()
        let request = FCMCase.send(Self.message, query: "?$.xgafv=1", headers: [("authorization", field)])
        let entry = try FCMCase.document(sender.post(request).response.text).root["error"]?["errors"]?[0]
        #expect(
            try JSONValue(#require(entry)) == [
                "message": JSONValue.string(text), "domain": "global", "reason": JSONValue.string(reason),
                "location": "Authorization", "locationType": "header",
            ])
    }
}
