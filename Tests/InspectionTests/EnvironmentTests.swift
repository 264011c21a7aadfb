import PushCore
import TLS
import Testing

@testable import Inspection

/// `pushpit doctor` without inputs.
struct EnvironmentTests {
    private static let gateway = EnvironmentFacts.Gateway(url: "http://127.0.0.1:2197", state: .ready)
    private static let authority = (try? CertificateAuthority.create(now: Fixtures.seconds).certificate.pem) ?? []

    /// A good environment, with changes.
    private static func inspect(
        at now: Timestamp = Fixtures.now, _ change: (inout EnvironmentFacts) -> Void = { _ in }
    ) -> InspectionReport {
        var facts = EnvironmentFacts(now: now, gateway: gateway)
        facts.canTrace = true
        facts.authority = authority
        facts.hosts = "127.0.0.1 localhost\n"
        change(&facts)
        return EnvironmentInspector.inspect(facts).report
    }

    private static func variable(
        _ name: String, _ value: String, _ file: EnvironmentFacts.File? = nil
    ) -> InspectionReport {
        inspect {
            $0.variables[name] = value
            $0.files[value] = file
        }
    }

    private static let rows: [(EnvironmentRule, InspectionReport)] = [
        (.proxy, variable("https_proxy", "http://me:secret@proxy.example:3128")),
        (
            .ownProxy,
            inspect {
                $0.variables = ["HTTPS_PROXY": "http://127.0.0.1:2197"]
                $0.ownProxies = ["HTTPS_PROXY"]
            }
        ),
        (.proxyScheme, variable("HTTPS_PROXY", "proxy.example:3128")),
        (
            .twoProxies,
            inspect { $0.variables = ["HTTPS_PROXY": "http://a.example:1", "https_proxy": "http://b.example:1"] }
        ),
        (.exempted, inspect { $0.variables = ["HTTPS_PROXY": "http://a:1", "NO_PROXY": "localhost,.googleapis.com"] }),
        (.noBundle, variable("SSL_CERT_FILE", "/nowhere", .missing)),
        (.unreadable, variable("CURL_CA_BUNDLE", "/root/x", .unreadable("cannot read /root/x: permission denied"))),
        (.notPEM, variable("REQUESTS_CA_BUNDLE", "/etc/hosts", .content([0x31]))),
        (
            .notTrusted,
            variable(
                "NODE_EXTRA_CA_CERTS", "/a.pem", .content((try? Fixtures.identity().certificate.pem) ?? []))
        ),
        (.noAccount, variable("GOOGLE_APPLICATION_CREDENTIALS", "/a.json", .missing)),
        (.otherAccount, variable("GOOGLE_APPLICATION_CREDENTIALS", "/a.json", .content(Array("{}".utf8)))),
        (.hostsEntry, inspect { $0.hosts = "127.0.0.1 x fcm.googleapis.com # push" }),
        (.hostsEntry, inspect { $0.hosts = "::ffff:127.0.0.1 fcm.googleapis.com" }),
        (.foreignHost, inspect { $0.hosts = "17.1.2.3\tAPI.push.apple.com" }),
        (.clockNotSet, inspect(at: Timestamp(milliseconds: 1000))),
        (.clockBehind, inspect { $0.newestFile = Fixtures.seconds + 3601 }),
        (.noTracing, inspect { $0.canTrace = false }),
        (.otherProgram, inspect { $0 = EnvironmentFacts(now: $0.now, gateway: .init(url: "u", state: .otherProgram)) }),
        (.noGateway, inspect { $0 = EnvironmentFacts(now: $0.now, gateway: .init(url: "u", state: .unreachable)) }),
    ]

    @Test(arguments: rows.indices) func `each fault of an environment is found`(index: Int) {
        let (rule, report) = Self.rows[index]
        #expect(report.problems.contains { $0.rule == rule.rawValue }, "\(rule): \(report)")
    }

    @Test func `every rule about environments has an example`() {
        #expect(Set(Self.rows.map(\.0)) == Set(EnvironmentRule.allCases))
    }

    @Test func `a good environment has no problems`() {
        let reports = [
            Self.inspect(), Self.variable("SSL_CERT_FILE", "/ca.pem", .content(Self.authority)),
            Self.variable(
                "GOOGLE_APPLICATION_CREDENTIALS", "/a.json", .content(Array(Fixtures.account().utf8))),
            Self.inspect { $0.newestFile = Fixtures.seconds + 3600 },
            Self.inspect {
                $0.isInsideExec = true
                $0.canTrace = false
                $0.hosts = "127.80.80.72 fcm.googleapis.com"
            },
            Self.inspect { $0.hosts = "# 127.0.0.1 fcm.googleapis.com\n10.0.0.1 api.push.apple.com.example" },
        ]
        for report in reports {
            #expect(report.kind == "environment" && report.problems.isEmpty, "\(report)")
        }
    }

    @Test func `the problems of the account that a variable names are reported`() {
        let report = Self.variable(
            "GOOGLE_APPLICATION_CREDENTIALS", "/a.json", .content(Array(Fixtures.services().utf8)))
        #expect(report.problems.map(\.rule) == ["google.app-configuration"])
    }

    @Test func `a proxy's password is not shown`() {
        for value in ["http://me:secret@proxy.example:3128", "me:secret@proxy.example:3128"] {
            let problems = Self.variable("HTTPS_PROXY", value).problems
            #expect(
                problems.allSatisfy { $0.message.contains("…@proxy.example:3128") && !$0.message.contains("secret") })
        }
    }
}
