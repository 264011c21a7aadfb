import HTTPCore
import APNs
import Credentials
import Devices
import EventLoop
import FCM
import Fetching
import Gateway
import Platform
import PushCore
import Testing

@testable import pushpit

/// How the options of `pushpit serve` become a configuration.
@Suite struct ServeTests {
    private func configuration(_ arguments: [String], _ variables: [String: String] = [:]) throws(ExitFailure)
        -> Configuration
    {
        try Serve.configuration(try CommandLineCase.options(.serve, arguments, variables))
    }

    private func usageError(_ arguments: [String], _ variables: [String: String] = [:]) -> String? {
        CommandLineCase.usageError { () throws(ExitFailure) in _ = try configuration(arguments, variables) }
    }

    @Test func `the defaults of the options are those of the configuration`() throws {
        let (found, expected) = (try configuration([]), Configuration())
        #expect(found.listeners == expected.listeners)
        #expect(found.certificates == expected.certificates)
        #expect(
            [found.initialStreamLimit, found.streamLimit, found.fcmStreamLimit]
                == [expected.initialStreamLimit, expected.streamLimit, expected.fcmStreamLimit])
        #expect(found.apns.auth == expected.apns.auth)
        #expect(found.apns.validation == expected.apns.validation)
        #expect(found.apns.environment == expected.apns.environment)
        #expect(found.apns.tokenUpdateInterval == expected.apns.tokenUpdateInterval)
        #expect(found.limitsStreamsAfterRefusal && expected.limitsStreamsAfterRefusal)
        #expect(found.resetsOversizedHeaders && expected.resetsOversizedHeaders)
        #expect(
            [found.headTimeout, found.stallTimeout, found.keepAliveTimeout, found.heartbeat, found.drainTimeout]
                == [
                    expected.headTimeout, expected.stallTimeout, expected.keepAliveTimeout, expected.heartbeat,
                    expected.drainTimeout,
                ])
        #expect(found.logCapacity == expected.logCapacity)
        #expect(found.logByteCapacity == expected.logByteCapacity)
        #expect(found.apns.choices.isEmpty && found.fcmChoices.isEmpty && found.apnsKeys.isEmpty)
        #expect(found.data == nil && found.apiToken == nil && found.eventLifetime == nil)
        #expect(!found.enforcesQuotas && !found.hasTestEndpoints)
        #expect(found.outgoing.fetchMedia == .loopback && expected.outgoing.fetchMedia == .loopback)
        #expect(found.outgoing.webhook == nil && found.outgoing.postback == nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let isSet: @Sendable (Configuration) -> Bool
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rows = [
        Row(arguments: ["--certs", "c"]) { $0.certificates == "c" },
        Row(arguments: ["--auth", "strict"]) { $0.apns.auth == .strict },
        Row(arguments: ["--validation", "service"]) { $0.apns.validation == .service },
        Row(arguments: ["--apns-environment", "sandbox"]) { $0.apns.environment == .sandbox },
        Row(arguments: ["--token-update-interval", "5s"]) { $0.apns.tokenUpdateInterval == 5000 },
        Row(arguments: ["--background-priority", "reject"]) { $0.apns.backgroundPriority == .reject },
        Row(arguments: ["--apns-spelling", "documented"]) { $0.apns.usesDocumentedSpelling },
        Row(arguments: ["--unknown-devices", "reject"]) { !$0.apns.acceptsUnknownDevices },
        Row(arguments: ["--test-endpoints"]) { $0.hasTestEndpoints },
        Row(arguments: ["--quotas", "real"]) { $0.enforcesQuotas },
        Row(arguments: ["--unregister-delay", "1m", "--unregister-pushes", "3"]) {
            $0.unregisterRule.delay == 60_000 && $0.unregisterRule.pushes == 3
        },
        Row(arguments: ["--allow-host", "Phone.Local", "--allow-host", "b"]) {
            $0.allowedHosts == ["phone.local", "b"]
        },
        Row(arguments: ["--allow-origin", "http://LocalHost:3000", "--allow-origin", "https://b:443"]) {
            $0.allowedOrigins.map(\.description) == ["http://localhost:3000", "https://b"]
        },
        Row(arguments: ["--first-streams", "2", "--streams", "3", "--fcm-streams", "4"]) {
            $0.initialStreamLimit == 2 && $0.streamLimit == 3 && $0.fcmStreamLimit == 4
        },
        Row(arguments: ["--stream-drop", "off"]) { !$0.limitsStreamsAfterRefusal },
        Row(arguments: ["--overlong-fields", "431"]) { !$0.resetsOversizedHeaders },
        Row(arguments: ["--head-timeout", "1s", "--stall-timeout", "2s", "--keep-alive-timeout", "3s"]) {
            $0.headTimeout == 1000 && $0.stallTimeout == 2000 && $0.keepAliveTimeout == 3000
        },
        Row(arguments: ["--heartbeat", "4s", "--drain-timeout", "250ms"]) {
            $0.heartbeat == 4000 && $0.drainTimeout == 250
        },
        Row(arguments: ["--data", "d", "--keep-messages", "5", "--keep-mib", "2", "--keep-for", "1h"]) {
            $0.data == "d" && $0.logCapacity == 20 && $0.logByteCapacity == 2 << 20 && $0.eventLifetime == 3_600_000
        },
        Row(arguments: ["--fetch-media", "on"]) { $0.outgoing.fetchMedia == .on },
        Row(arguments: ["--listen", "0.0.0.0:1", "--api-token", "x"]) { $0.outgoing.fetchMedia == .off },
        Row(arguments: ["--listen", "127.0.0.1:1", "--listen", "[::]:1", "--api-token", "x"]) {
            $0.outgoing.fetchMedia == .off
        },
        Row(arguments: ["--listen", "0.0.0.0:1", "--api-token", "x", "--fetch-media", "loopback"]) {
            $0.outgoing.fetchMedia == .loopback && $0.listeners[0].address.host == "0.0.0.0"
        },
        Row(arguments: ["--webhook", "http://u:p@a.test/x?y", "--postback", "https://b.test:1/c"]) {
            $0.outgoing.webhook == "http://u:p@a.test/x?y" && $0.outgoing.postback == "https://b.test:1/c"
        },
        Row(arguments: ["--log", "json", "--log-level", "none"]) { $0.logFormat == .json && $0.logLevel == .none },
        Row(arguments: ["--apns-key", "a:b.p8:ABC123DEFG:DEF123GHIJ"]) {
            $0.apnsKeys.map { [$0.path, $0.keyID, $0.team] } == [["a:b.p8", "ABC123DEFG", "DEF123GHIJ"]]
        },
        Row(arguments: ["--listen", "apns-sandbox=[::1]:0", "--listen", "fcm=localhost:0"]) {
            $0.listeners.map(\.roleName) == ["apns-sandbox", "fcm"] && $0.listeners[0].address.host == "::1"
        },
        Row(arguments: ["--listen", "0.0.0.0:1", "--api-token", "secret"]) {
            $0.listeners.map(\.address.description) == ["0.0.0.0:1"] && $0.apiToken == "secret"
        },
        Row(arguments: ["--apns-choice", "capital-id=BadMessageId", "--fcm-choice", "empty-aps=accept"]) {
            $0.apns.choices.count == 1 && $0.fcmChoices == [.emptyAps]
        },
        Row(arguments: ["--fcm-choice", "oversize-android", "--fcm-choice", "empty-aps=accept"]) {
            $0.fcmAnswers.map(\.id) == ["oversize-android"] && $0.fcmChoices == [.emptyAps]
        },
        Row(arguments: ["--fcm-choice", "empty-aps=accept", "--fcm-choice", "empty-aps=refuse"]) {
            $0.fcmChoices.isEmpty
        },
    ]

    @Test(arguments: rows) func `each option sets its field`(row: Row) throws {
        #expect(row.isSet(try configuration(row.arguments)))
        #expect(!row.isSet(try configuration([])) || row.arguments.last == "empty-aps=refuse")
    }

    @Test(arguments: [
        (["--fcm-choice", "oversize-andriod"], "; did you mean 'oversize-android'?"),
        (["--fcm-choice", "empty-asp=accept"], "; did you mean 'empty-aps'?"),
        (["--fcm-choice", "nothing"], "; the ids are "),
        (["--apns-choice", "capital-ids=x"], "did you mean 'capital-id'?"),
        (["--allow-host", "http://x/"], "'http://x/' must be a host name without scheme, port and path"),
        (["--allow-origin", "localhost:3000"], "'localhost:3000' must be a scheme, a host and, if the page has one,"),
        (["--allow-origin", "http://localhost:3000/"], "a port, without a path: http://localhost:3000"),
        (["--allow-origin=null"], "'null' must be a scheme"), (["--allow-origin=*"], "'*' must be a scheme"),
        (["--allow-host", "x:80"], "'x:80' must be a host name"), (["--allow-host="], "'' must be a host name"),
        (["--fcm-choice", "oversize"], "must be NAME=VALUE, or the id of a recorded answer; the names are empty-aps,"),
        (["--apns-choice", "oversize-android"], "must be NAME=VALUE; the names are"),
        (["--listen", "nonsense"], "'nonsense' has no port: write it like 2197, 127.0.0.1:2197 or apns=[::1]:443"),
        (["--listen", "a b:80"], "'a b:80' has no valid host (IPv6 addresses need brackets)"),
        (["--listen", "::1:80"], "'::1:80' has no valid host (IPv6 addresses need brackets)"),
        (["--listen", "70000"], "'70000' has no port from 0 to 65535"),
        (["--listen", ":80"], "':80' has no host"), (["--listen", "127.0.0.1:99999"], "has no port from 0 to 65535"),
        (["--listen", "gcm=127.0.0.1:0"], "has an unknown role; the roles are any, apns, apns-sandbox, fcm"),
        (["--listen="], "--listen '' has no port"),
        (["--listen", "127.0.0.1:80", "--listen", "fcm=127.0.0.1:80"], "'fcm=127.0.0.1:80' is given twice"),
        (["--listen", "0.0.0.0:0"], "'0.0.0.0:0' is not a loopback address: set --api-token"),
        (["--listen", "[::]:0"], "'[::]:0' is not a loopback address"),
        (["--apns-key", "x.p8"], "--apns-key 'x.p8' must be FILE:KEYID:TEAMID"),
        (["--apns-key", "x.p8:short:DEF123GHIJ"], "must be FILE:KEYID:TEAMID"),
        (["--apns-choice", "x"], "--apns-choice 'x' must be NAME=VALUE; the names are unknown-channel, "),
        (
            ["--fcm-choice", "nonsense=1"],
            "--fcm-choice 'nonsense=1' must be NAME=VALUE, or the id of a recorded answer; the names are empty-aps, "
        ),
        (["--fcm-choice", "empty-aps=x"], "must be empty-aps=refuse or empty-aps=accept"),
        (["--streams", "0"], "--streams '0' must be a number from 1 to 2048"),
        (["--keep-messages", "0"], "must be a number from 1 to 1000000"),
        (["--auth", "none"], "--auth 'none' must be one of off, lenient, strict"),
        (["--log-level", "loud"], "must be one of debug, info, warning, error, none"),
        (["--overlong-fields", "432"], "must be one of reset, 431"),
        (["--fetch-media", "yes"], "--fetch-media 'yes' must be one of off, loopback, on"),
        (
            ["--webhook", "ftp://u:p@a.test"],
            "'ftp://…@a.test' must be an http or https URL like http://localhost:8080/e"
        ),
        (
            ["--postback", "a.test"],
            "--postback 'a.test' must be an http or https URL like http://localhost:8080, without"
        ),
        (["--postback", "http://u:p@a.test/?x"], "'http://…@a.test/?x' must end before the query"),
    ]) func `an invalid value is refused with the remedy`(arguments: [String], text: String) {
        let error = usageError(arguments)
        #expect(error?.contains(text) == true, "\(error ?? "accepted")")
        #expect(error?.hasSuffix("; see 'pushpit serve --help'") == true)
    }

    @Test func `port 0 may be listened on twice`() throws {
        #expect(try configuration(["--listen", "127.0.0.1:0", "--listen", "127.0.0.1:0"]).listeners.count == 2)
    }

    @Test func `variables configure like options`() throws {
        let found = try configuration(
            [], ["PUSHPIT_LISTEN": "127.0.0.1:0,fcm=[::1]:0", "PUSHPIT_QUOTAS": "real", "PUSHPIT_API_TOKEN": "t"])
        #expect(found.listeners.map(\.roleName) == ["any", "fcm"])
        #expect(found.enforcesQuotas)
        #expect(found.apiToken == "t")
        #expect(usageError([], ["PUSHPIT_LISTEN": ","])?.hasPrefix("PUSHPIT_LISTEN '' has no port") == true)
    }
}
