import Devices
import PushCore
import Testing

/// Media that phones do not fetch, because the URL uses http (docs/evidence/device.md §2.3(3)).
@Suite struct ClearTextTests {
    static let rows: [(url: String, config: String, isFetched: Bool)] = [
        ("http://e.com/a.png", "{}", false), ("HTTP://e.com/a.png", "{}", false), ("https://e.com/a.png", "{}", true),
        ("http://e.com/a.png", #"{"allowsHTTP":true}"#, true), ("http://localhost:8080/a.png", "{}", true),
        ("http://127.0.0.1/a.png", "{}", true), ("http://[::1]:80/a.png", "{}", true),
        ("http://127.0.0.1.e.com/a.png", "{}", false),
    ]

    @Test(arguments: rows) func `an iPhone fetches it only if the app may use http`(
        url: String, config: String, isFetched: Bool
    ) throws {
        var phone = try PhoneSample(.ios, #""extension":{"script":"firebase"},"appConfig":\#(config)"#)
        phone.media = Media(contentType: "image/png", size: 1)
        let lines = try phone.push(
            #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"fcm_options":{"image":"\#(url)"}}"#)
        #expect(lines.contains { $0.hasPrefix("attachment fetch.http url=\(url) outcome=failed") } == !isFetched)
        #expect(lines.contains { $0.hasPrefix("attachment ios.attachment url=\(url)") } == isFetched)
        #expect(lines.last?.contains(url) == isFetched)
    }

    @Test(arguments: rows) func `an Android phone fetches it only if the app may use http`(
        url: String, config: String, isFetched: Bool
    ) throws {
        var phone = try PhoneSample(.android, #""appConfig":\#(config)"#)
        phone.media = Media(contentType: "image/png", size: 1, delay: 10)
        var lines = try phone.push(#"{"notification":{"title":"T","image":"\#(url)"},"data":{}}"#)
        lines += phone.wait(10)
        #expect(lines.contains { $0.hasPrefix("attachment fetch.http url=\(url) outcome=failed") } == !isFetched)
        #expect(lines.contains { $0.hasPrefix("attachment android.image url=\(url)") } == isFetched)
    }

    @Test func `Adobe's extension keeps no file that it could not fetch`() throws {
        var phone = try PhoneSample(.ios, #""extension":{"script":"adobe"}"#)
        phone.media = Media(contentType: "image/png", size: 1)
        for _ in 0..<2 {
            let lines = try phone.push(
                #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"media-attachment-url":"http://e.com/a.png"}"#)
            #expect(!lines.contains { $0.contains("ios.extension-crash") })
        }
    }
}
