import Testing

@testable import pushpit

/// What commands say about the directory of a gateway that runs.
@Suite struct GatewayDirectoryTests {
    @Test(arguments: [
        (
            GatewayDirectory.named("/run/certs"), true,
            "uses /run/certs, so give '--certs /run/certs', or set PUSHPIT_CERTS"
        ),
        (.named("/run/certs"), false, "in /run/certs on its own machine; copy that directory without ca-key.pem"),
        (.named("/run/c\u{1b}[31m"), false, "in /run/c\\u001b[31m on its own machine"),
        (.needsToken, true, "give --api-token too, and this command can tell you the directory"),
        (.unknown, true, "no gateway answers at http://localhost:1; start one with 'pushpit'"),
    ])
    func `an incomplete directory gets the remedy for the gateway`(
        directory: GatewayDirectory, isHere: Bool, words: String
    ) {
        let text = directory.remedy("http://localhost:1") { isHere && $0 == "/run/certs/ca.pem" }
        #expect(text.contains(words), "\(text)")
        #expect(!text.contains("pushpit init"), "new keys would not be those of the gateway")
    }

    @Test(arguments: [
        (
            GatewayDirectory.named("/run/certs"),
            "another Pushpit, whose credentials are in /run/certs: use that one, or"
        ),
        (.needsToken, "another Pushpit, which requires its --api-token: use that one, or"),
        (.unknown, "another program: stop it, or"),
    ])
    func `a taken port names what holds it`(directory: GatewayDirectory, words: String) {
        let text = directory.sentence(aboutListeningOn: "127.0.0.1:2197")
        #expect(text.hasPrefix("127.0.0.1:2197 is in use by \(words) give '--listen 127.0.0.1:0' to take a free port"))
        #expect(text.contains("PUSHPIT_URL"))
    }
}
