import Devices
import PushCore
import Testing

/// Extensions and the files that they attach (docs/evidence/device.md §2.3(2)–(3), §2.4, §2.5 and §3.3).
@Suite struct ExtensionTests {
    private static let plain = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#
    private static func image(_ url: String) -> String {
        #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"fcm_options":{"image":"\#(url)"},"media-attachment-url":"\#(url)"}"#
    }
    private static func script(_ name: String, _ more: String = "") -> String {
        #""extension":{"script":"\#(name)"\#(more)}"#
    }
    private static func started(_ script: String) -> String { "extension ios.extension script=\(script) phase=started" }
    private static let finished = "extension ios.extension phase=finished"
    private static let original = "presented ios.shown n1 'T|B' on banner+list"

    @Test(arguments: [
        #"{"aps":{"alert":{"title":"T"}}}"#, #"{"aps":{"alert":"B","mutable-content":1}}"#,
        #"{"aps":{"alert":{"title":"T"},"mutable-content":true}}"#,
        #"{"aps":{"badge":1,"mutable-content":1}}"#, #"{"aps":{"content-available":1,"mutable-content":1}}"#,
    ]) func `an extension does not run for these pushes`(payload: String) throws {
        var phone = try PhoneSample(.ios, Self.script("echo"))
        #expect(try !phone.push(payload).contains { $0.hasPrefix("extension") })
    }

    @Test(arguments: ["denied", "notDetermined"]) func `an extension does not run if notifications are not allowed`(
        permission: String
    ) throws {
        var phone = try PhoneSample(.ios, Self.script("echo"))
        try phone.set(#"{"permission":"\#(permission)"}"#)
        #expect(try phone.push(Self.plain) == ["suppressed ios.not-allowed"])
    }

    @Test func `echo and firebase change the title, and after a crash the original is shown`() throws {
        var echo = try PhoneSample(.ios, Self.script("echo", #","titleSuffix":"!""#))
        #expect(
            try echo.push(Self.plain) == [
                Self.started("echo"), Self.finished, "presented ios.shown n1 'T!|B' on banner+list",
            ])
        var firebase = try PhoneSample(.ios, Self.script("firebase"))
        #expect(
            try firebase.push(Self.plain) == [
                Self.started("firebase"), Self.finished, "presented ios.shown n1 'T [modified]|B' on banner+list",
            ])
        var crash = try PhoneSample(.ios, Self.script("crash"))
        #expect(
            try crash.push(Self.plain) == [
                Self.started("crash"), "extension ios.extension-crash phase=original", Self.original,
            ])
    }

    @Test func `an extension runs for a force-quit app`() throws {
        var phone = try PhoneSample(.ios, Self.script("echo", #","titleSuffix":"!""#))
        try phone.set(#"{"app":"forceQuit"}"#)
        #expect(try phone.push(Self.plain).last == "presented ios.shown n1 'T!|B' on banner+list")
    }

    @Test func `a slow extension has thirty seconds`() throws {
        var quick = try PhoneSample(.ios, Self.script("slow", #","seconds":29,"titleSuffix":"!""#))
        #expect(try quick.push(Self.plain) == [Self.started("slow"), "wake 29000"])
        #expect(quick.wait(28_999) == [])
        #expect(quick.wait(1) == [Self.finished, "presented ios.shown n1 'T!|B' on banner+list"])
        var slow = try PhoneSample(.ios, Self.script("slow", #","seconds":31"#))
        #expect(try slow.push(Self.plain) == [Self.started("slow"), "wake 30000"])
        #expect(slow.wait(30_000) == ["extension ios.extension-timeout phase=original", Self.original])
    }

    @Test func `the client decides the result of a remote extension`() throws {
        var phone = try PhoneSample(.ios, Self.script("remote"))
        #expect(try phone.push(Self.plain) == [Self.started("remote"), "wake 30000"])
        let content = ExtensionResult.content(title: "X", subtitle: nil, body: nil)
        #expect(
            phone.handle(.extensionResult(PushID(1), content)) == [
                Self.finished, "presented ios.shown n1 'X|B' on banner+list",
            ])
        #expect(phone.handle(.extensionResult(PushID(1), content)) == [])
        _ = try phone.push(Self.plain)
        #expect(
            phone.handle(.extensionResult(PushID(2), .crash)).first == "extension ios.extension-crash phase=original")
        _ = try phone.push(Self.plain)
        let empty = ExtensionResult.content(title: "", subtitle: nil, body: "")
        #expect(
            phone.handle(.extensionResult(PushID(3), empty)).first == "extension ios.extension-empty phase=original")
        _ = try phone.push(Self.plain)
        #expect(phone.wait(30_000).first == "extension ios.extension-timeout phase=original")
    }

    @Test func `Adobe's sample never calls back without a URL, and crashes on a URL without a path`() throws {
        var phone = try PhoneSample(.ios, Self.script("adobe"))
        #expect(try phone.push(Self.plain) == [Self.started("adobe"), "wake 30000"])
        let crash = "extension ios.extension-crash phase=original"
        #expect(try phone.push(Self.image("https://foo.bar.pizza-monster.png")).contains(crash))
        // A second image with the same name crashes it, but only if the first was really fetched.
        for _ in 0..<2 { #expect(try !phone.push(Self.image("https://e.com/a.png")).contains(crash)) }
        phone.media = Media(contentType: "image/png", size: 1)
        #expect(try !phone.push(Self.image("https://e.com/a.png?1")).contains(crash))
        #expect(try phone.push(Self.image("https://e.com/a.png?2")).contains(crash))
        #expect(try !phone.push(Self.image("https://e.com/b.png")).contains(crash))
    }

    @Test(arguments: ["", "https://e.com/a b.png"]) func `an invalid URL is not fetched`(url: String) throws {
        var phone = try PhoneSample(.ios, Self.script("firebase"))
        let output = try phone.push(Self.image(url))
        #expect(
            output[1]
                == "attachment ios.attachment-url url=\(url) outcome=failed message=20000: The Image URL provided is invalid"
        )
        #expect(output.last == "presented ios.shown n1 'T [modified]' on banner+list")
    }

    struct File: CustomTestStringConvertible {
        var script = "firebase"
        var url = "https://e.com/a.png"
        var type = "image/png"
        var size = 1000
        let outcome: String

        var testDescription: String { "\(script) \(url) \(type) \(size)" }
    }

    @Test(arguments: [
        File(outcome: "attached"), File(type: "text/html", outcome: "failed"),
        File(type: "application/octet-stream", outcome: "attached"),
        File(url: "https://e.com/a.mp3", type: "image/png", outcome: "failed"),
        File(url: "https://e.com/a.JPG?x=.webp", outcome: "attached"),
        File(size: 10_000_000, outcome: "attached"), File(size: 10_000_001, outcome: "failed"),
        File(url: "https://e.com/a.mp3", type: "audio/mpeg", outcome: "attached"),
        File(url: "https://e.com/a.mp3", type: "audio/mpeg", size: 5_000_001, outcome: "failed"),
        File(url: "https://e.com/a.mp3", type: "audio/mpeg", size: 5_000_000, outcome: "attached"),
        File(url: "https://e.com/a.mp4", type: "video/mp4", size: 50_000_000, outcome: "attached"),
        File(url: "https://e.com/a.mp4", type: "video/mp4", size: 50_000_001, outcome: "failed"),
        File(url: "https://e.com/a.webp", outcome: "failed"), File(url: "https://e.com/a.html", outcome: "failed"),
        // If the name has no extension, Firebase's helper uses Content-Type. Adobe's sample does not.
        File(url: "https://e.com/a", type: "image/jpeg", outcome: "attached"),
        File(url: "https://e.com/a", type: "image/webp", outcome: "failed"),
        File(url: "https://foo.bar.pizza-monster.png", outcome: "attached"),
        File(script: "adobe", outcome: "attached"),
        File(script: "adobe", url: "https://e.com/a", type: "image/jpeg", outcome: "failed"),
    ]) func `a file is attached or left out, depending on its type and size`(file: File) throws {
        var phone = try PhoneSample(.ios, Self.script(file.script))
        phone.media = Media(contentType: file.type, size: file.size)
        let output = try phone.push(Self.image(file.url))
        #expect(output.contains { $0.hasPrefix("attachment") && $0.contains("outcome=\(file.outcome)") }, "\(output)")
        #expect(output.last?.contains(file.url) == (file.outcome == "attached"))
    }

    @Test func `X10 a fetch takes time, and the original is shown if it takes too long`() throws {
        var phone = try PhoneSample(.ios, Self.script("firebase"))
        phone.media = Media(contentType: "image/png", size: 1, delay: 4000)
        #expect(try phone.push(Self.image("https://e.com/a.png")).last == "wake 4000")
        #expect(phone.wait(4000).last == "presented ios.shown n1 'T [modified]|https://e.com/a.png' on banner+list")
        phone.media = Media(contentType: "image/png", size: 1, delay: 40_000)
        #expect(try phone.push(Self.image("https://e.com/a.png")).last == "wake 30000")
        #expect(
            phone.wait(30_000) == [
                "extension ios.extension-timeout phase=original", "presented ios.shown n2 'T' on banner+list",
            ])
    }

    @Test(arguments: [
        (Media(contentType: "image/webp", size: 1 << 20), "android.image", "shown"),
        (Media(contentType: "image/png", size: 1 << 20 + 1), "android.image-failed", "failed"),
        (Media(contentType: "text/html", size: 10), "android.image-failed", "failed"),
        (Media(status: 404, contentType: "image/png", size: 10), "android.image-failed", "failed"),
    ]) func `Android shows images of any name up to one mebibyte`(media: Media, why: String, outcome: String)
        throws
    {
        var phone = try PhoneSample(.android)
        phone.media = media
        let output = try phone.push(#"{"notification":{"title":"T","image":"https://e.com/a"}}"#)
        #expect(output[1].hasPrefix("attachment \(why) url=https://e.com/a outcome=\(outcome)"))
        #expect(output[2].contains("https://e.com/a") == (outcome == "shown"))
    }

    @Test func `Android waits five seconds for an image`() throws {
        var phone = try PhoneSample(.android)
        phone.media = Media(contentType: "image/png", size: 1, delay: 5001)
        #expect(try phone.push(#"{"notification":{"title":"T","image":"https://e.com/a"}}"#).last == "wake 5000")
        #expect(
            phone.wait(5000) == [
                "attachment android.image-slow url=https://e.com/a outcome=failed",
                "presented android.shown n1 'T' on statusBar+list+sound",
            ])
    }
}
