import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// `GET /schemas/…`.
struct PayloadFieldTests {
    private let host = TestHost()

    private func fields(_ service: String) throws -> [String: JSONValue] {
        guard case .array(let list) = try host.ask(.get, "/schemas/\(service)").at("fields") else {
            throw Unexpected("no list")
        }
        let byPath = Dictionary(grouping: list) { $0.at("path").text ?? "" }
        #expect(byPath.values.allSatisfy { $0.count == 1 }, "a path is listed twice")
        #expect(list.allSatisfy { $0.at("about").text?.hasSuffix(".") == true }, "a field has no sentence")
        return byPath.compactMapValues(\.first)
    }

    @Test func `the fields of APNs are header fields, aps, and what is in it`() throws {
        let fields = try fields("apns")
        #expect(fields["/headers/apns-priority"]?.at("values") == ["10", "5", "1"])
        #expect(fields["/headers/apns-push-type"]?.at("values", 0) == "alert")
        #expect(fields["/aps/alert"]?.at("type") == "string or object")
        #expect(fields["/aps/interruption-level"]?.at("values", 2) == "time-sensitive")
        #expect(fields["/aps/mutable-content"]?.at("values") == [0, 1])
        for path in ["/aps", "/aps/sound/critical", "/aps/alert/loc-args", "/headers/apns-topic", "/aps/event"] {
            #expect(fields[path] != nil, "\(path)")
        }
        #expect(fields["/headers/authorization"] == nil && fields["/headers/:path"] == nil)
    }

    @Test func `the fields of FCM go down to those of Apple`() throws {
        let fields = try fields("fcm")
        for (path, type) in [
            ("/message", "object"), ("/validate_only", "boolean"), ("/message/data/*", "string"),
            ("/message/android/ttl", "duration"), ("/message/android/notification/vibrate_timings", "durations"),
            ("/message/android/notification/light_settings/color/red", "number"),
            ("/message/android/notification/event_time", "timestamp"),
            ("/message/android/notification/title_loc_args", "strings"),
            ("/message/android/notification/notification_count", "integer"),
            ("/message/apns/payload/aps/alert/title", "string"), ("/message/apns/headers/apns-priority", "string"),
            ("/message/webpush/notification", "object"),
        ] { #expect(fields[path]?.at("type").text == type, "\(path)") }
        let priority = fields["/message/android/notification/notification_priority"]?.at("values")
        #expect(priority == ["PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX"])
    }

    /// Each known value is accepted by the checks that pushes go through.
    @Test func `a payload with every value of the list has no finding about it`() throws {
        for (path, field) in try fields("apns") where path.hasPrefix("/aps/") && path.split(separator: "/").count == 2 {
            let key = path.dropFirst(5)
            for value in field["values"]?.elements ?? [] {
                let check = try host.ask(.post, "/check/apns", ["body": ["aps": .object([(String(key), value)])]])
                let paths = check.at("findings").elements.map { $0.at("path").text }
                #expect(!paths.contains(path), "\(path) \(value)")
            }
        }
    }
}
