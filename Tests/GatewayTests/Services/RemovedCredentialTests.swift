import APNs
import Credentials
import Platform
import PushCore
import PushEngine
@testable import PushpitTesting
import TLS
import Testing

@testable import Gateway

/// What is left when a key that was added over the control API is removed again.
@Suite struct RemovedCredentialTests {
    private static let own = ProviderKey(id: "OWNKEY1234", team: "TEAM567890")

    private func withGateway(_ body: (Gateway, PrivateKey) throws -> Void) throws {
        let key = try PrivateKey.generateP256()
        let keyring = Keyring()
        try keyring.add(Self.own, pem: key.pem)
        let gateway = Gateway(
            TestConfiguration().gatewayConfiguration, log: Log(format: .text, level: .none),
            clock: .manual(at: testEpoch),
            seed: 1,
            keyring: keyring)
        try body(gateway, key)
    }

    @Test func `the gateway's own key has its own rights and signature again`() throws {
        try withGateway { gateway, key in
            let limited = ProviderKey(id: "OWNKEY1234", team: "OTHER67890", environment: .sandbox)
            let newPEM = try PrivateKey.generateP256().pem
            #expect(gateway.addKey(limited, pem: newPEM) == nil)
            let signature = try key.sign([1])
            #expect(!gateway.keyring.verify("OWNKEY1234", [1], signature))
            #expect(gateway.removeKey("OWNKEY1234"))
            #expect(gateway.keyring.verify("OWNKEY1234", [1], signature))
            let key = try #require(gateway.box.engine.dialects.apns.policy.keys["OWNKEY1234"])
            #expect(key.team == "TEAM567890" && key.environment == nil)
            #expect(!gateway.removeKey("OWNKEY1234"))
        }
    }

    @Test func `another key is gone`() throws {
        try withGateway { gateway, _ in
            let other = try PrivateKey.generateP256()
            let pem = try other.pem
            #expect(gateway.addKey(ProviderKey(id: "ANOTHER890", team: "TEAM567890"), pem: pem) == nil)
            #expect(gateway.removeKey("ANOTHER890"))
            let signature = try other.sign([1])
            #expect(!gateway.keyring.verify("ANOTHER890", [1], signature))
            #expect(gateway.box.engine.dialects.apns.policy.keys.keys.sorted() == ["OWNKEY1234"])
        }
    }
}
