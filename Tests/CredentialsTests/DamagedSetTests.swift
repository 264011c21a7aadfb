import JSON
import TLS
import TestSupport
import Testing

@testable import Credentials

/// Directories in which a file is missing, damaged or from another set.
@Suite struct DamagedSetTests {
    enum Damage: String, CaseIterable { case missing, empty, truncated, another }
    enum Outcome: Equatable {
        /// Nothing has to be done.
        case works
        /// These files are made again, the notice contains the words, and `ca.pem` stays the same.
        case repaired([String], notice: String?)
        /// The problem names the file. Without the files that it says to delete, a new start works.
        case refused(delete: [String])
    }

    private static let key = "AuthKey"
    private static let all = ["ca.pem", "server.pem", "server-key.pem", "apns-client.pem"]
    private static let server = ["server.pem", "server-key.pem", "expired.pem"]
    private static let client = ["apns-client.pem", "apns-client.p12"]
    /// For each file, the outcomes of the four kinds of damage.
    private static let rows: [(file: String, outcomes: [Outcome])] = [
        (
            "ca.pem",
            [
                .refused(delete: Array(all.dropFirst())), .refused(delete: all), .refused(delete: all),
                .refused(delete: all),
            ]
        ),
        (
            "ca-key.pem",
            [
                .works, .refused(delete: ["ca-key.pem"]), .refused(delete: ["ca-key.pem"]),
                .repaired([], notice: "is not the key of"),
            ]
        ),
        (
            "server.pem",
            [
                .repaired(server, notice: nil), .refused(delete: ["server.pem"]), .refused(delete: ["server.pem"]),
                .repaired(server, notice: "has not signed"),
            ]
        ),
        (
            "server-key.pem",
            [
                .repaired(server, notice: nil), .refused(delete: ["server-key.pem"]),
                .refused(delete: ["server-key.pem"]), .repaired(server, notice: "was not the key of"),
            ]
        ),
        (
            "apns-client.pem",
            [.repaired(client, notice: nil)]
                + Array(repeating: .repaired(client, notice: "was not a certificate of"), count: 3)
        ),
        ("expired.pem", Array(repeating: .repaired(["expired.pem"], notice: nil), count: 4)),
        ("ca.p12", Array(repeating: .repaired(["ca.p12"], notice: nil), count: 4)),
        ("apns-client.p12", Array(repeating: .repaired(["apns-client.p12"], notice: nil), count: 4)),
        (
            key,
            [
                .repaired([key, "pushpit.json"], notice: "new APNs key"), .refused(delete: [key]),
                .refused(delete: [key]), .works,
            ]
        ),
        (
            "service-account.json",
            [
                .repaired(["service-account.json"], notice: nil), .refused(delete: ["service-account.json"]),
                .refused(delete: ["service-account.json"]), .works,
            ]
        ),
        (
            "pushpit.json",
            [
                .repaired([key, "pushpit.json"], notice: "new APNs key"), .refused(delete: ["pushpit.json"]),
                .refused(delete: ["pushpit.json"]), .repaired([key, "pushpit.json"], notice: "new APNs key"),
            ]
        ),
    ]

    @Test(arguments: rows.indices, Damage.allCases)
    func `a damaged set is repaired, or the problem says what to delete`(row: Int, damage: Damage) throws {
        let (label, outcomes) = Self.rows[row]
        let expected = outcomes[Damage.allCases.firstIndex(of: damage) ?? 0]
        let scratch = try Scratch.withSet()
        let keyID = try scratch.prepare().keyID
        let file = label == Self.key ? "AuthKey_\(keyID).p8" : label
        let authority = try scratch.read("ca.pem")
        try Self.apply(damage, to: file, in: scratch)
        switch expected {
        case .works:
            let credentials = try Self.used(scratch)
            #expect(credentials.made == [] && credentials.notice == nil)
        case .repaired(let files, let words):
            let credentials = try Self.used(scratch)
            let made = credentials.made.map { $0.hasPrefix(Self.key) ? Self.key : $0 }
            #expect(made.sorted() == files.sorted())
            #expect(words.map { credentials.notice?.contains($0) == true } ?? (credentials.notice == nil))
            #expect(try scratch.read("ca.pem") == authority)
        case .refused(let files):
            let error = #expect(throws: Credentials.Problem.self) { try Self.used(scratch) }
            let text = error?.description ?? ""
            #expect(text.contains(scratch.path(file)) || text.contains("ca.pem"), "\(text)")
            for name in files where name != label { #expect(text.contains(name), "\(text)") }
            #expect(text.contains("elete"), "\(text)")
            for name in files { scratch.remove(name == Self.key ? file : name) }
            try Self.used(scratch)
        }
        // Whatever was repaired stays so.
        #expect(try Self.used(scratch).made == [])
    }

    private static func apply(_ damage: Damage, to file: String, in scratch: Scratch) throws {
        switch damage {
        case .missing: scratch.remove(file)
        case .empty: try scratch.write([], file)
        case .truncated: try scratch.write(Array((scratch.read(file) ?? []).prefix(100)), file)
        case .another:
            let name = file.hasPrefix(key) ? "AuthKey_\(try another.prepare().keyID).p8" : file
            try scratch.write(another.read(name) ?? [], file)
        }
    }

    private static let another: Scratch = {
        let scratch = Scratch()
        _ = try? scratch.prepare()
        return scratch
    }()

    /// What a gateway does with the directory at its start. Checks that the files fit together.
    @discardableResult static func used(_ scratch: Scratch) throws -> Credentials {
        let credentials = try scratch.prepare()
        _ = try credentials.keyring(with: [])
        let root = try Certificate(pem: scratch.read("ca.pem") ?? [])
        let server = try Certificate(pem: scratch.read("server.pem") ?? [])
        #expect(server.isSigned(by: root))
        #expect(server.belongs(to: try PrivateKey(pem: scratch.read("server-key.pem") ?? [])))
        let client = try Identity(pem: scratch.read("apns-client.pem") ?? [])
        #expect(client.certificate.isSigned(by: root))
        let packed = try PKCS12.identity(from: scratch.read("apns-client.p12") ?? [], password: "pushpit")
        #expect(try packed.certificate.pem == client.certificate.pem)
        #expect(PKCS12.isTrustStore(try scratch.read("ca.p12") ?? [], of: root, password: "pushpit"))
        let index = try JSONDocument(parsing: scratch.read("pushpit.json") ?? []).root
        #expect(try scratch.read("AuthKey_\(index["apns"]?["keyId"]?.string ?? "").p8") != nil)
        return credentials
    }
}
