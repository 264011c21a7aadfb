/// A reported incident of a real service, and the faults that reproduce it.
package struct Scenario {
    package let name: String
    package let meaning: String
    /// The public issue that reports it, as PROJECT#NUMBER.
    package let source: String
    /// The faults as JSON, in the format of `POST /faults`.
    package let faults: [String]

    package static let all: [Scenario] = [
        Scenario(
            name: "apns-shutdown",
            meaning:
                "Every hundredth push gets a GOAWAY with the reason Shutdown and no answer. The client has to reconnect and resend it.",
            source: "jchambers/pushy#567",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"goawayShutdown"},"every":100}"#]),
        Scenario(
            name: "apns-bad-certificate-environment",
            meaning:
                "Instead of an answer, two GOAWAYs arrive. Only the first has the reason BadCertificateEnvironment.",
            source: "sideshow/apns2#93",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"goawayCert"}}"#]),
        Scenario(
            name: "apns-token-update-storm",
            meaning:
                "From the third push on, a connection only gets 429 TooManyProviderTokenUpdates. The client has to open another one.",
            source: "jchambers/pushy#811",
            faults: [
                #"{"match":{"provider":"apns"},"effect":{"wire":"stickyTokenUpdates"},"per":"connection","nth":3}"#
            ]),
        Scenario(
            name: "apns-stream-limit-drop",
            meaning: "A refused push lowers the stream limit to 1. The next accepted push restores it.",
            source: "lionheart/openradar-mirror#15649",
            faults: [
                #"{"match":{"provider":"apns","reason":"BadDeviceToken"},"effect":{"wire":"streamLimitDrop"}}"#,
                #"{"match":{"provider":"apns","reason":"Unregistered"},"effect":{"wire":"streamLimitDrop"}}"#,
            ]),
        Scenario(
            name: "apns-black-hole",
            meaning:
                "From the third push on, a connection stays open but answers nothing, not even a PING.",
            source: "inaka/apns4erl#205",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"blackHole"},"per":"connection","nth":3}"#]),
        Scenario(
            name: "fcm-503-but-delivered",
            meaning:
                "The answer is 503 UNAVAILABLE, but the message is delivered. A client that retries delivers it twice.",
            source: "firebase/firebase-admin-node#1248",
            faults: [
                #"{"match":{"provider":"fcm"},"effect":[{"deliver":1},{"answer":{"status":503,"reason":"UNAVAILABLE"}}]}"#
            ]),
        Scenario(
            name: "fcm-502-html",
            meaning: "The answer is a 502 HTML page from the load balancer instead of JSON.",
            source: "firebase/firebase-admin-go#460",
            faults: [#"{"match":{"provider":"fcm"},"effect":{"answer":{"recorded":"html-502"}}}"#]),
        Scenario(
            name: "fcm-quota-with-retry-after",
            meaning:
                "After ten messages, the answer is the 429 of the project's quota, with a Retry-After that the client should respect.",
            source: "firebase/firebase-admin-go#719",
            faults: [
                #"{"match":{"provider":"fcm"},"effect":{"answer":{"recorded":"quota-project","headers":{"retry-after":"60"}}},"after":10}"#
            ]),
    ]
}
