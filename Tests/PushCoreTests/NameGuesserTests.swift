import PushCore
import Testing

@Suite struct NameGuesserTests {
    private static let known = NameGuesser([
        "fcm_options", "media-attachment-url", "aps", "image", "mutable-content", "429Many",
    ])

    static let rows: [(name: String, guess: String?)] = [
        ("fcm_option", "fcm_options"), ("fcmOptions", "fcm_options"), ("fcm-options", "fcm_options"),
        ("FCM_Options", "fcm_options"), ("fmc_options", "fcm_options"), ("fcm_optionss", "fcm_options"),
        ("fcm_opzions", "fcm_options"), ("mutable_content", "mutable-content"),
        ("mutableContent", "mutable-content"), ("media-attachement-url", "media-attachment-url"), ("APS", "aps"),
        ("Image", "image"), ("429Mny", "429Many"), ("420Many", "429Many"), ("fcm_options", nil), ("aps", nil),
        ("app", nil), ("imago", nil), ("fcm", nil),
        ("fcm_optio", nil), ("cfm_optoins", nil), ("", nil), ("-", nil), ("ü", nil),
        (String(repeating: "fcm_options", count: 5), nil),
    ]

    @Test(arguments: rows) func `a name that is nearly known is guessed`(row: (name: String, guess: String?)) {
        #expect(Self.known.guess(row.name) == row.guess)
    }

    @Test func `of two names the one in the same case is guessed`() {
        let words = NameGuesser(["Unregistered", "UNREGISTERED", "Unavailable"], minLength: 4)
        #expect(words.guess("UNREGISTRED") == "UNREGISTERED")
        #expect(words.guess("Unregistred") == "Unregistered")
    }

    @Test(arguments: [
        ("image", "https://a.example/b.png", true), ("imageUrl", "http://a.example/b", true),
        ("image-url", "HTTPS://a.example", true), ("media_url", "https://a.example", true),
        ("image", "b.png", false), ("image", "https", false), ("imagine", "https://a.example/b.png", false),
        ("url", "https://a.example", false),
    ]) func `a key for a media file has a usual name and a URL`(name: String, value: String, isMedia: Bool) {
        #expect(NameGuesser.isMedia(name, value) == isMedia)
    }
}
