internal import PushCore

/// Bad days that others have had, each set with one call: a row is a name, what happens, who reported it, and the faults
/// that bring it about.
package struct Scenario {
    package let name: String
    package let meaning: String
    /// A public issue, as PROJECT#NUMBER.
    package let source: String
    /// As the control API takes them.
    package let faults: [String]

    package static let all: [Scenario] = [
        Scenario(
            name: "apns-shutdown",
            meaning:
                "Every hundredth push meets a GOAWAY that says Shutdown: it stays without an answer, and the client has to connect anew and send it again.",
            source: "jchambers/pushy#567",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"goawayShutdown"},"every":100}"#]),
        Scenario(
            name: "apns-bad-certificate-environment",
            meaning: "Instead of an answer there are two GOAWAYs, and only the first says BadCertificateEnvironment.",
            source: "sideshow/apns2#93",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"goawayCert"}}"#]),
        Scenario(
            name: "apns-token-update-storm",
            meaning:
                "From its third push on a connection gets nothing but 429 TooManyProviderTokenUpdates, until the client opens another.",
            source: "jchambers/pushy#811",
            faults: [
                #"{"match":{"provider":"apns"},"effect":{"wire":"stickyTokenUpdates"},"per":"connection","nth":3}"#
            ]),
        Scenario(
            name: "apns-stream-limit-drop",
            meaning: "A refused push lowers the stream limit to 1; the next good one restores it.",
            source: "lionheart/openradar-mirror#15649",
            faults: [
                #"{"match":{"provider":"apns","reason":"BadDeviceToken"},"effect":{"wire":"streamLimitDrop"}}"#,
                #"{"match":{"provider":"apns","reason":"Unregistered"},"effect":{"wire":"streamLimitDrop"}}"#,
            ]),
        Scenario(
            name: "apns-black-hole",
            meaning:
                "From its third push on a connection stays open and is dead: nothing is answered, not even a PING.",
            source: "inaka/apns4erl#205",
            faults: [#"{"match":{"provider":"apns"},"effect":{"wire":"blackHole"},"per":"connection","nth":3}"#]),
        Scenario(
            name: "fcm-503-but-delivered",
            meaning:
                "The answer is 503 UNAVAILABLE and the message arrives all the same: who sends it again sends it twice.",
            source: "firebase/firebase-admin-node#1248",
            faults: [
                #"{"match":{"provider":"fcm"},"effect":[{"deliver":1},{"answer":{"status":503,"reason":"UNAVAILABLE"}}]}"#
            ]),
        Scenario(
            name: "fcm-502-html",
            meaning: "The answer is the load balancer's page with 502, and no JSON.",
            source: "firebase/firebase-admin-go#460",
            faults: [#"{"match":{"provider":"fcm"},"effect":{"answer":{"recorded":"html-502"}}}"#]),
        Scenario(
            name: "fcm-quota-with-retry-after",
            meaning:
                "After ten messages to a device the answer is 429 QUOTA_EXCEEDED, with a Retry-After that a client should keep to.",
            source: "firebase/firebase-admin-node#43",
            faults: [
                #"{"match":{"provider":"fcm"},"effect":{"answer":{"status":429,"reason":"QUOTA_EXCEEDED","headers":{"retry-after":"60"}}},"after":10,"per":"token"}"#
            ]),
    ]
}
