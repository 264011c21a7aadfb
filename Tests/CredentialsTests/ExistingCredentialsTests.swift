import TestSupport
import Testing

@testable import Credentials

/// Reading the credentials of a gateway that runs.
@Suite struct ExistingCredentialsTests {
    @Test func `credentials are read, and none are made`() throws {
        let scratch = try Scratch.withSet()
        let made = try scratch.prepare()
        let names = scratch.names
        let read = try Credentials.existing(in: scratch.directory)
        #expect((read.keyID, read.teamID, read.topic) == (made.keyID, made.teamID, made.topic))
        #expect(read.authority == made.authority)
        #expect(scratch.names == names)
    }

    @Test(arguments: [
        "pushpit.json", "ca.pem", "AuthKey", "apns-client.pem", "apns-client.p12", "service-account.json",
    ])
    func `a directory without a file is not complete`(file: String) throws {
        let scratch = try Scratch.withSet()
        let name = try #require(scratch.names.first { $0.hasPrefix(file) })
        scratch.remove(name)
        let problem = #expect(throws: Credentials.Problem.self) {
            _ = try Credentials.existing(in: scratch.directory)
        }
        let sentence = "\(scratch.directory) has no complete set of credentials (\(name) is missing or incomplete)"
        #expect((problem?.description, problem?.isIncomplete) == (sentence, true))
        #expect(!scratch.names.contains(name))
    }
}
