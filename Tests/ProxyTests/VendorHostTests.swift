import Testing

@testable import Proxy

/// Which targets of a CONNECT get a tunnel.
@Suite struct VendorHostTests {
    static let hosts: [(String, String)] = [
        ("api.push.apple.com:443", "api.push.apple.com"), ("API.Push.Apple.com:2197", "api.push.apple.com"),
        ("api.sandbox.push.apple.com:443", "api.sandbox.push.apple.com"),
        ("fcm.googleapis.com:443", "fcm.googleapis.com"), ("fcm.googleapis.com.:443", "fcm.googleapis.com"),
        ("oauth2.googleapis.com:443", "oauth2.googleapis.com"), ("accounts.google.com:443", "accounts.google.com"),
        ("updates.push.services.mozilla.com:443", "updates.push.services.mozilla.com"),
    ]

    @Test(arguments: hosts) func `the vendors' hosts get a tunnel`(target: String, name: String) throws {
        #expect(try VendorHost(target).name == name)
    }

    static let long = String(repeating: "a", count: 10_000)
    static let problems: [(String, VendorHost.Problem)] = [
        ("api.push.apple.com:80", .port("api.push.apple.com", "80", served: ["443", "2197"])),
        ("fcm.googleapis.com:2197", .port("fcm.googleapis.com", "2197", served: ["443", "5228"])),
        ("iamcredentials.googleapis.com:443", .notImitated("iamcredentials.googleapis.com")),
        ("x.push.apple.com:443", .notImitated("x.push.apple.com")),
        ("googleapis.com:443", .notImitated("googleapis.com")),
        ("evilgoogleapis.com:443", .foreign("evilgoogleapis.com")), ("example.com:443", .foreign("example.com")),
        ("www.apple.com:443", .foreign("www.apple.com")), ("[::1]:443", .foreign("[::1]")),
        ("127.0.0.1:443", .foreign("127.0.0.1")),
        ("\(long).com:443", .foreign(String(long.prefix(100)) + "…")),
        ("api.push.apple.com", .malformed), ("api.push.apple.com:", .malformed), (":443", .malformed), ("", .malformed),
        ("a b:443", .malformed), ("x@api.push.apple.com:443", .malformed),
    ]

    @Test(arguments: problems) func `every other target gets none`(target: String, problem: VendorHost.Problem) {
        #expect(throws: problem) { try VendorHost(target) }
        #expect(problem.sentence.hasSuffix(".") || problem.sentence.hasSuffix("'."))
    }

    @Test(arguments: [
        ("example.com", false, VendorHost.Problem.foreign("example.com")),
        ("example.com:80", true, .notConnected("example.com")),
        ("storage.googleapis.com", true, .notImitated("storage.googleapis.com")),
        ("[::1]:8080", false, .foreign("[::1]")),
        ("a b", false, .malformed),
    ]) func `a URL of another host is refused`(authority: String, forwards: Bool, problem: VendorHost.Problem) {
        #expect(VendorHost.problem(withURLOf: authority, forwardsOtherHosts: forwards) == problem)
    }
}
