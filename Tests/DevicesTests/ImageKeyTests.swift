import Devices
import PushCore
import Testing

/// An app whose extension reads the sender's own key (docs/devices.md, `imageKey`).
@Suite struct ImageKeyTests {
    private func spec(_ script: String, _ more: String) -> String {
        #""extension":{"script":"\#(script)"\#(more)}"#
    }

    private static let ownKeys =
        #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"image_url":"https://a.example/1.png","media":{"list":[1],"url":"https://a.example/2.png"},"n":7}"#

    @Test(arguments: [
        ("firebase", "image_url", "1.png"), ("firebase", "/media/url", "2.png"), ("adobe", "/image_url", "1.png"),
    ])
    func `an extension can read a key of the sender's own`(_ script: String, _ key: String, _ file: String) throws {
        var phone = try PhoneSample(.ios, spec(script, #","imageKey":"\#(key)","titleSuffix":"""#))
        #expect(try phone.push(Self.ownKeys).contains { $0.contains("https://a.example/\(file)") })
    }

    @Test(arguments: ["/media", "/n", "/media/list/0", "none"])
    func `without a URL at that place, the image is missing`(_ key: String) throws {
        var phone = try PhoneSample(.ios, spec("firebase", #","imageKey":"\#(key)","titleSuffix":"""#))
        let steps = try phone.push(Self.ownKeys)
        #expect(steps.contains { $0.hasPrefix("attachment ios.image-ignored url=https://a.example/1.png") })
        #expect(steps.last == "presented ios.shown n1 'T' on banner+list")
    }

    @Test(arguments: [
        #""script":"firebase","imageKey":"/a~2""#, #""script":"firebase","imageKey":"""#,
        #""script":"echo","imageKey":"a""#, #""script":"adobe","imageKey":7"#,
    ])
    func `an image key that can't be used is refused`(_ members: String) {
        #expect(throws: DeviceProblem.self) { _ = try PhoneSample(.ios, "\"extension\":{\(members)}") }
    }
}
