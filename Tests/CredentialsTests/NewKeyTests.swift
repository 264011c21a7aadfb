import TestSupport
import Testing

@testable import Credentials

/// A directory that gets a new APNs key.
@Suite struct NewKeyTests {
    @Test(arguments: [true, false]) func `a new key in a directory that had one is announced`(isIndexMissing: Bool)
        throws
    {
        let scratch = try Scratch.withSet()
        let first = try scratch.prepare()
        #expect(first.notice == nil)
        let missing = isIndexMissing ? "pushpit.json" : "AuthKey_\(first.keyID).p8"
        scratch.remove(missing)
        let again = try scratch.prepare()
        #expect(
            again.notice
                == "\(scratch.path(missing)) was missing, so there is a new APNs key: give senders "
                + "\(scratch.path("AuthKey_\(again.keyID).p8")), the key id \(again.keyID) and the team id \(again.teamID), "
                + "or add the old key with --apns-key FILE:KEYID:TEAMID.")
        #expect(try scratch.prepare().notice == nil)
        #expect(try Scratch().prepare().notice == nil)
    }
}
