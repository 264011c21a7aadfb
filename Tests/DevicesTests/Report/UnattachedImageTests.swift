import Devices
import PushCore
import Testing

/// Pushes that name an image which nothing fetches.
@Suite struct UnattachedImageTests {
    private static let plain = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#
    private static let image =
        #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"fcm_options":{"image":"https://e.com/a.png"}}"#

    /// The extension, the payload, and the rule of the `attachment` event; nil without one.
    static let unattached: [(script: String, payload: String, rule: String?)] = [
        ("none", image, "ios.no-extension"),
        ("none", plain, nil),
        ("none", #"{"aps":{"alert":"B"},"image-url":"https://e.com/a.png"}"#, "ios.no-extension"),
        ("none", #"{"aps":{"alert":"B"},"image-url":"none"}"#, nil),
        ("none", #"{"aps":{"alert":"B"},"link":"https://e.com/a.png"}"#, nil),
        ("none", #"{"aps":{"badge":1},"image-url":"https://e.com/a.png"}"#, nil),
        ("firebase", #"{"aps":{"alert":{"title":"T"}},"fcm_options":{"image":"https://e.com/a"}}"#, "ios.not-mutable"),
        (
            "firebase", #"{"aps":{"alert":"B","mutable-content":1},"fcm_options":{"image":"https://e.com/a"}}"#,
            "ios.alert-not-a-dictionary"
        ),
        (
            "firebase",
            #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"media-attachment-url":"https://e.com/a"}"#,
            "ios.image-ignored"
        ),
        (
            "firebase", #"{"aps":{"alert":{"title":"T"},"mutable-content":1},"image":"https:\/\/e.com\/a.png"}"#,
            "ios.image-ignored"
        ),
        ("echo", image, "ios.image-ignored"),
        ("echo", plain, nil),
    ]

    @Test(arguments: unattached.indices) func `a push that names an image which nothing attaches says why`(index: Int)
        throws
    {
        let (script, payload, rule) = Self.unattached[index]
        var phone = try PhoneSample(.ios, #""extension":{"script":"\#(script)"}"#)
        let lines = try phone.push(payload)
        #expect(
            lines.filter { $0.hasPrefix("attachment") }.map { $0.split(separator: " ")[1] }
                == (rule.map { [$0[...]] } ?? []))
        #expect(lines.allSatisfy { !$0.hasPrefix("attachment") || $0.hasSuffix(" outcome=skipped") }, "\(lines)")
    }
}
