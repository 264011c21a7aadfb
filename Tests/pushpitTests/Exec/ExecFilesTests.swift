import PushCore
import Testing

@testable import pushpit

/// The texts that `exec` writes, and the way that it chooses.
@Suite struct ExecFilesTests {
    @Test func `push hosts come before the system's lines`() throws {
        let text = String(
            decoding: ExecFiles.hostsText(system: Array("1.2.3.4 api.push.apple.com\n".utf8)), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 * (Vendor.appleHosts.count + Vendor.googleHosts.count) + 1)
        #expect(lines.first == "127.80.80.72 api.push.apple.com")
        #expect(lines[1] == "::ffff:127.80.80.72 api.push.apple.com")
        #expect(lines.contains("127.80.80.72 oauth2.googleapis.com"))
        #expect(lines.last == "1.2.3.4 api.push.apple.com")
    }

    @Test func `PEM files are joined line by line`() {
        let files = ["a\n", "", "b", "c\n"].map { Array($0.utf8) }
        #expect(ExecFiles.joined(files) == Array("a\nb\nc\n".utf8))
        #expect(ExecFiles.joined([]) == [])
    }

    @Test func `PHP's settings name the bundle`() {
        #expect(ExecFiles.phpText(bundle: "/b c.pem") == "curl.cainfo=\"/b c.pem\"\nopenssl.cafile=\"/b c.pem\"\n")
    }

    @Test func `a supervisor is chosen where the system allows one`() throws {
        #expect(try Via.auto.route { true } == (.trace, nil))
        #expect(try Via.trace.route { true } == (.trace, nil))
        #expect(try Via.proxy.route { true } == (.proxy, nil))
        #expect(try Via.proxy.route { false } == (.proxy, nil))
        let (route, notice) = try Via.auto.route { false }
        #expect(route == .proxy)
        #expect(notice?.contains("seccomp user notification") == true)
    }

    @Test func `a supervisor that the system does not allow is an error`() {
        let error = #expect(throws: ExitFailure.self) { _ = try Via.trace.route { false } }
        #expect(error?.code == 69)
        #expect(error?.message?.hasSuffix("use --via proxy") == true)
    }
}
