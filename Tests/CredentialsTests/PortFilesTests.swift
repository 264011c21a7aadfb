import TestSupport
import Testing

@testable import Credentials

/// The files that contain a gateway's port, when two gateways use one directory.
@Suite struct PortFilesTests {
    @Test func `a second gateway in the directory gets its own files`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare(port: 4000)
        let shared = ["service-account.json", "pushpit.json"]
        let before = try shared.map { try scratch.text($0) }
        let second = try scratch.prepare(port: 4001, running: [4000])
        #expect(try shared.map { try scratch.text($0) } == before)
        #expect(second.portFiles.otherPort == 4000)
        #expect(second.portFiles.serviceAccount == "service-account-4001.json")
        #expect(second.portFiles.index == "pushpit-4001.json")
        #expect(second.made == ["service-account-4001.json", "pushpit-4001.json"])
        #expect(
            try scratch.text("service-account-4001.json")
                == before[0].replacing("localhost:4000", with: "localhost:4001"))
        #expect(scratch.mode(of: "service-account-4001.json") == 0o600)
        #expect(
            try scratch.text("pushpit-4001.json")
                == before[1].replacing("service-account.json", with: "service-account-4001.json")
                .replacing("localhost:4000", with: "localhost:4001"))
        #expect(before[1].contains(#""url": "https://localhost:4000""#))
        #expect(try scratch.prepare(port: 4001, running: [4000]).made.isEmpty)
        #expect(try scratch.prepare(port: 4000, running: [4001]).portFiles.otherPort == nil, "the first starts again")
    }

    @Test func `when the other gateway has ended, its files are taken over`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare(port: 4000)
        #expect(try scratch.prepare(port: 4001).portFiles.otherPort == nil)
        #expect(try scratch.text("service-account.json").contains("https://localhost:4001/token"))
        #expect(!scratch.names.contains("pushpit-4001.json"))
    }

    @Test func `without a port an account stays as it is`() throws {
        let scratch = try Scratch.withSet()
        _ = try scratch.prepare(port: 4000)
        let before = try scratch.text("service-account.json")
        _ = try scratch.prepare(port: nil, running: [4000])
        #expect(try scratch.text("service-account.json") == before)
        #expect(!scratch.names.contains { $0.hasPrefix("pushpit-") })
    }

    @Test(arguments: ["https://example.com:4000/token", "https://localhost/token", "https://localhost:99999/token"])
    func `an account of another service is no running gateway's`(address: String) throws {
        let scratch = try Scratch.withSet()
        let text = try scratch.text("service-account.json").replacing("https://localhost:2197/token", with: address)
        try scratch.write(Array(text.utf8), "service-account.json")
        #expect(try scratch.prepare(port: 4001, running: [4000]).portFiles.otherPort == nil)
    }
}
