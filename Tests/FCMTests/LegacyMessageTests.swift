import JSON
import PushCore
import Testing

@testable import FCM

/// The conversion of the legacy message format to v1, and the notes about it.
@Suite struct LegacyMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let changes: [String]
        var testDescription: String { old }
    }

    static let rows = [
        Row(old: #"{"to":"T"}"#, new: #"{"message":{"token":"T"}}"#, changes: ["/to"]),
        Row(old: #"{"to":"/topics/news"}"#, new: #"{"message":{"topic":"news"}}"#, changes: ["/to"]),
        Row(
            old: #"{"registration_ids":["a","b"]}"#, new: #"{"message":{"token":"a"}}"#, changes: ["/registration_ids"]),
        Row(
            old: #"{"condition":"'a' in topics","dry_run":true}"#,
            new: #"{"message":{"condition":"'a' in topics"},"validate_only":true}"#,
            changes: ["/condition", "/dry_run"]),
        Row(
            old:
                #"{"to":"T","collapseKey":"1","priority":"high","data":{"a":"b","badge":1817,"on":true,"o":{"x":[1]}}}"#,
            new:
                #"{"message":{"token":"T","android":{"collapse_key":"1","priority":"HIGH"},"data":{"a":"b","badge":"1817","on":"true","o":"{\"x\":[1]}"}}}"#,
            changes: ["/to", "/collapseKey", "/priority", "/data", "/data/badge", "/data/on", "/data/o"]),
        Row(
            old:
                #"{"to":"T","time_to_live":60,"content_available":true,"mutable_content":true,"restricted_package_name":"p","priority":5}"#,
            new:
                #"{"message":{"token":"T","android":{"ttl":"60s","restricted_package_name":"p","priority":"NORMAL"},"apns":{"payload":{"aps":{"content-available":1,"mutable-content":1}}}}}"#,
            changes: [
                "/to", "/time_to_live", "/content_available", "/mutable_content", "/restricted_package_name",
                "/priority",
            ]),
        Row(
            old:
                #"{"to":"T","notification":{"title":"t","sound":"s","badge":"3","android_channel_id":"c","body_loc_args":"[\"x\"]","odd":1,"icon":null}}"#,
            new:
                #"{"message":{"token":"T","notification":{"title":"t"},"android":{"notification":{"sound":"s","channel_id":"c","body_loc_args":["x"]}},"apns":{"payload":{"aps":{"sound":"s","badge":3,"alert":{"loc-args":["x"]}}}}}}"#,
            changes: [
                "/to", "/notification/title", "/notification/sound", "/notification/badge",
                "/notification/android_channel_id",
                "/notification/body_loc_args", "/notification/odd",
            ]),
        Row(
            old: #"{"to":"T","notification":{"body_loc_key":"B","title_loc_key":"T","title_loc_args":["y"]}}"#,
            new:
                #"{"message":{"token":"T","android":{"notification":{"body_loc_key":"B","title_loc_key":"T","title_loc_args":["y"]}},"apns":{"payload":{"aps":{"alert":{"loc-key":"B","title-loc-key":"T","title-loc-args":["y"]}}}}}}"#,
            changes: [
                "/to", "/notification/body_loc_key", "/notification/title_loc_key", "/notification/title_loc_args",
            ]),
        Row(
            old: #"{"to":"T","priority":"urgent","x/y":1}"#, new: #"{"message":{"token":"T"}}"#,
            changes: ["/to", "/priority", "/x~1y"]),
    ]

    @Test(arguments: rows) func `each member is converted to its place in v1`(row: Row) throws {
        let message = try #require(LegacyMessage(JSONDocument(parsing: Array(row.old.utf8)).root))
        var json = JSONWriter()
        message.body.write(to: &json)
        #expect(String(decoding: json.finish(), as: UTF8.self) == row.new)
        #expect(message.changes.map(\.path) == row.changes)
    }

    @Test(arguments: [
        #"{"message":{"token":"T"}}"#, #"{"token":"T","data":{}}"#, #"{"aps":{}}"#, "[]", #""to""#,
        #"{"notification":{},"condition":"x"}"#,
    ]) func `other shapes are not converted`(text: String) throws {
        #expect(try LegacyMessage(JSONDocument(parsing: Array(text.utf8)).root) == nil)
    }

    @Test func `the number and the length of the findings are bounded`() throws {
        let data = (0..<10_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let document = try JSONDocument(parsing: Array(#"{"to":"T","data":{\#(data)}}"#.utf8))
        let findings = LegacyMessage.findings(in: document)
        #expect(findings.count == 101)
        #expect(findings.allSatisfy { $0.message.utf8.count < 5000 })
    }

    @Test(arguments: [
        (#"{"message":{"token":"T"}}"#, MessageFile.Shape.request, #"{"message":{"token":"T"}}"#),
        (#"{"token":"T"}"#, .message, #"{"message":{"token":"T"}}"#),
        (#"{"androidV2":{}}"#, .message, #"{"message":{"androidV2":{}}}"#),
        (#"{"to":"T"}"#, .legacy, "{\n  \"message\": {\n    \"token\": \"T\"\n  }\n}"),
    ]) func `the shape of a file is recognized`(text: String, shape: MessageFile.Shape, body: String) throws {
        let file = try #require(MessageFile(Array(text.utf8)))
        #expect(file.shape == shape)
        #expect(String(decoding: file.body, as: UTF8.self) == body)
    }

    @Test(arguments: [#"{"aps":{"alert":"x"},"data":{}}"#, "{}", "{", "[]", #"{"acme":1}"#])
    func `an APNs payload is not an FCM message`(text: String) { #expect(MessageFile(Array(text.utf8)) == nil) }

    @Test func `the target of a message can be replaced`() throws {
        let file = try #require(
            MessageFile(Array(#"{"message":{"topic":"t","data":{"a":"b",},},validate_only:false}"#.utf8)))
        func body(_ token: String?, _ topic: String?, _ validatesOnly: Bool) -> String {
            String(decoding: file.body(token: token, topic: topic, isDryRun: validatesOnly), as: UTF8.self)
        }
        #expect(body("T", nil, false) == #"{"message":{"data":{"a":"b"},"token":"T"},"validate_only":false}"#)
        #expect(body(nil, "u", true) == #"{"message":{"data":{"a":"b"},"topic":"u"},"validate_only":true}"#)
        #expect(body(nil, nil, true) == #"{"message":{"topic":"t","data":{"a":"b"}},"validate_only":true}"#)
    }
}
