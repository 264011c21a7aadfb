import EventLoop
import Gateway
import PushpitTesting
import TLS
import Testing

@testable import Routing

@Suite struct HostNamesTests {
    @Test func `the names of all certificates are the gateway's`() throws {
        let hosts = HostNames(["box.example"])
        let names = ["own.example", "*.wild.example", "10.1.2.3"]
        for name in ["own.example", "a.wild.example:2197", "10.1.2.3", "other.example"] {
            #expect(!hosts.include(name), "\(name)")
        }
        hosts.certificates = try Self.context([["localhost"], names])
        for name in ["own.example", "OWN.example:1", "a.wild.example:2197", "10.1.2.3:80", "box.example"] {
            #expect(hosts.include(name), "\(name)")
        }
        for name in ["other.example", "wild.example", "a.b.wild.example", "10.1.2.4", "", ":80", "own.example@x"] {
            #expect(!hosts.include(name), "\(name)")
        }
    }

    @Test func `a gateway is reached under the names of its new certificates`() throws {
        try TestGateway.run(.embedded) { gateway in
            let connection = try gateway.connect(hostName: "own.example")
            try #expect(connection.send("GET", "/livez").status == 403)
            gateway.embedded.gateway.use(try Self.context([["own.example"]]))
            try #expect(connection.send("GET", "/livez").status == 200)
        }
    }

    @Test func `the name in --listen is the gateway's`() {
        var configuration = Configuration()
        configuration.listeners[0].address.name = "My.Machine"
        #expect(HostNames(configuration.hostNames).include("my.machine:2197"))
    }

    private static func context(_ sets: [[String]]) throws -> TLSContext {
        let authority = try CertificateAuthority.create(now: 1_790_000_000)
        let identities = try sets.map { names in
            let server = try authority.issueServerCertificate(
                names: names.map { try SubjectAlternativeName($0) }, now: 1_790_000_000)
            return TLSIdentity(certificateChain: try server.certificate.pem, privateKey: try server.key.pem)
        }
        return try TLSContext(server: identities, clientAuthority: try authority.certificate.pem)
    }
}
