import Devices
import PushCore
import Testing

/// Files that take a while to arrive, and what their first bytes show.
@Suite struct FetchTests {
    static let url = "https://e.com/a.png"
    static let apple =
        #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"fcm_options":{"image":"\#(url)"}}"#
    static let google = #"{"notification":{"title":"T","image":"\#(url)"},"data":{}}"#
    private static let slow = "attachment android.image-slow url=\(url) outcome=failed"
    private static let plain = "presented android.shown n1 'T' on statusBar+list+sound"
    private static let original = "presented ios.shown n1 'T' on banner+list"

    static func iphone() throws -> PhoneSample {
        var phone = try PhoneSample(.ios, #""extension":{"script":"firebase"}"#)
        phone.fetched = nil
        return phone
    }

    static func android() throws -> PhoneSample {
        var phone = try PhoneSample(.android)
        phone.fetched = nil
        return phone
    }

    static var image: Media {
        var media = Media(contentType: "image/png", size: 9)
        media.format = .png
        return media
    }

    @Test func `the notification waits for the file, and is shown once`() throws {
        var phone = try Self.android()
        #expect(try phone.push(Self.google) == ["fetch \(Self.url)"])
        #expect(phone.wait(4999) == [])
        let shown = "presented android.shown n1 'T|\(Self.url)' on statusBar+list+sound"
        #expect(phone.handle(.fetched(PushID(1), .received(Self.image))).last == shown)
        #expect(phone.handle(.fetched(PushID(1), .received(Self.image))) == [])
        #expect(phone.wait(5000) == [])
    }

    @Test func `the phone waits until its clock says that the time is over`() throws {
        var phone = try Self.android()
        _ = try phone.push(Self.google)
        #expect(phone.wait(5000) == [Self.slow, Self.plain])
        #expect(phone.handle(.fetched(PushID(1), .received(Self.image))) == [])
        var iphone = try Self.iphone()
        _ = try iphone.push(Self.apple)
        #expect(iphone.wait(29_999) == [])
        #expect(iphone.wait(1) == ["extension ios.extension-timeout phase=original", Self.original])
        #expect(iphone.handle(.fetched(PushID(1), .timedOut)) == [])
    }

    @Test func `real time ends it too, although the clock stands still`() throws {
        var phone = try Self.android()
        _ = try phone.push(Self.google)
        #expect(phone.handle(.fetched(PushID(1), .timedOut)) == [Self.slow, Self.plain])
        var iphone = try Self.iphone()
        _ = try iphone.push(Self.apple)
        #expect(
            iphone.handle(.fetched(PushID(1), .timedOut)) == [
                "extension ios.extension-timeout phase=original", Self.original,
            ])
    }

    @Test(arguments: [
        (FetchResult.skipped("why"), "fetch.skipped", "skipped", " message=why"),
        (.skipped(nil), "fetch.skipped", "skipped", ""), (.failed("why"), "fetch.failed", "failed", " message=M: why"),
        (.inClearText, "fetch.http", "failed", " message=C"),
    ]) func `the event says why there is no file`(result: FetchResult, why: String, outcome: String, rest: String)
        throws
    {
        func line(_ message: String, _ refusal: String) -> String {
            "attachment \(why) url=\(Self.url) outcome=\(outcome)"
                + rest.replacing("M:", with: message).replacing("=C", with: "=\(refusal)")
        }
        var phone = try Self.android()
        _ = try phone.push(Self.google)
        #expect(
            phone.handle(.fetched(PushID(1), result)) == [
                line("Failed to download image:", "Cleartext HTTP traffic not permitted"), Self.plain,
            ])
        var iphone = try Self.iphone()
        _ = try iphone.push(Self.apple)
        let lines = iphone.handle(.fetched(PushID(1), result))
        #expect(
            lines.first
                == line(
                    "20001: Failed to download image given URL:",
                    "App Transport Security requires the use of a secure connection"))
        #expect(lines.last == "presented ios.shown n1 'T [modified]' on banner+list")
    }

    @Test func `a phone with too many files shows the oldest notification without its file`() throws {
        var phone = try Self.android()
        for _ in 0..<100 { #expect(try phone.push(Self.google) == ["fetch \(Self.url)"]) }
        let skipped =
            "attachment fetch.skipped url=\(Self.url) outcome=skipped message=this phone is already working on 100 notifications"
        #expect(try phone.push(Self.google) == [skipped, Self.plain, "fetch \(Self.url)"])
    }

    @Test func `a request has the limits of the phone`() throws {
        func request(_ platform: Device.Platform, _ url: String, _ spec: String) throws -> FetchRequest {
            var registry = DeviceRegistry(capacity: 1)
            var random = Random(seed: 1)
            let now = Timestamp(milliseconds: 0)
            let text = #"{"platform":"\#(platform.rawValue)","app":"a",\#(spec)}"#
            _ = registry.make(
                try DeviceSpec(try PhoneSample.json(text), at: ""), in: .production, at: now, using: &random)
            let payload = (platform == .ios ? Self.apple : Self.google).replacing(Self.url, with: url)
            let content = PushContent(try PhoneSample.document(payload), for: platform)
            for effect in registry.handle(.push(Arrival(push: PushID(1), content: content, collapseID: [])), at: 0, now)
            {
                if case .fetch(_, let request) = effect { return request }
            }
            throw PhoneSample.Nothing()
        }
        let firebase = #""extension":{"script":"firebase"}"#
        let iphone = try request(.ios, Self.url, firebase)
        #expect(iphone.longest == 10_000_000 && iphone.patience == 30_000 && !iphone.allowsHTTP && iphone.changesScheme)
        #expect(try request(.ios, "https://e.com/a.MP3", firebase).longest == 5_000_000)
        #expect(try request(.ios, "https://e.com/a.mp4", firebase).longest == 50_000_000)
        #expect(try request(.ios, "https://e.com/a", firebase).longest == 50_000_000)
        let android = try request(.android, Self.url, #""appConfig":{"allowsHTTP":true}"#)
        #expect(android.longest == 1 << 20 && android.patience == 5000 && android.allowsHTTP && !android.changesScheme)
    }
}

extension PhoneSample {
    struct Nothing: Error {}
}
