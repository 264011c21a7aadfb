import PushCore
import Testing

@testable import pushpit

/// The texts that `exec` writes, and the way that it chooses.
@Suite struct ExecFilesTests {
    @Test func `push hosts come before the system's lines`() throws {
        let text = String(
            decoding: ExecFiles.hostsText(system: Array("1.2.3.4 api.push.apple.com\n".utf8)), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 * Vendor.hosts.count + 1)
        #expect(lines.first == "127.80.80.72 api.push.apple.com api.push.apple.com.")
        #expect(lines[1] == "::ffff:127.80.80.72 api.push.apple.com api.push.apple.com.")
        #expect(lines.contains("127.80.80.72 oauth2.googleapis.com oauth2.googleapis.com."))
        #expect(lines.last == "1.2.3.4 api.push.apple.com")
        #expect(ExecFiles.isShownByExec(text) && !ExecFiles.isShownByExec("127.0.0.1 localhost\n"))
    }

    @Test func `PEM files are joined line by line`() {
        let files = ["a\n", "", "b", "c\n"].map { Array($0.utf8) }
        #expect(ExecFiles.joined(files) == Array("a\nb\nc\n".utf8))
        #expect(ExecFiles.joined([]) == [])
    }

    @Test func `an authority is added to a bundle only once`() {
        let (system, ours) = (Array("system\n".utf8), Array("ours\n".utf8))
        let bundle = ExecFiles.bundle(of: [system], and: ours)
        #expect(bundle == Array("system\nours\n".utf8))
        #expect(ExecFiles.bundle(of: [bundle], and: ours) == bundle)
    }

    @Test func `PHP's settings name the bundle`() {
        #expect(ExecFiles.phpText(bundle: "/b c.pem") == "curl.cainfo=\"/b c.pem\"\nopenssl.cafile=\"/b c.pem\"\n")
    }
}
