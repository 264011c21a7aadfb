internal import APNs
internal import Credentials
internal import EventLoop
internal import Gateway
internal import Glibc
internal import JSON
internal import Platform
internal import PushCore
internal import Routing

/// The text that `pushpit serve` prints at the start: the addresses, and commands that send a first push.
enum Banner {
    static func text(for server: Server) -> String {
        let credentials = server.credentials
        let listeners = server.addresses.map { role, address in
            role == Role.mcs.rawValue
                ? "  \(address)  (role mcs, with or without TLS)"
                : "  https://\(address)  (also http; role \(role)\(role.hasPrefix("apns") ? "; HTTP/2 only" : ""))"
        }
        let forAPNs =
            server.addresses.first { $0.role != Role.fcm.rawValue && $0.role != Role.mcs.rawValue }
            ?? server.addresses[0]
        let site = site(forAPNs.address, server)
        let token = String(repeating: "a1b2c3d4", count: 8)
        let authority = quoted(credentials.path("ca.pem"))
        let certificate = quoted(credentials.path("apns-client.pem"))
        return """
            Pushpit \(version) is listening on
            \(listeners.joined(separator: "\n"))
            Credentials: \(credentials.directory.onOneLine)/ (CA certificate ca.pem, APNs key AuthKey_\(credentials.keyID.onOneLine).p8, team \(credentials.teamID.onOneLine))
            \(console(for: server))A first push, with curl:
              curl --http2 --cacert \(authority) --cert \(certificate) \\
                -H 'apns-topic: \(credentials.topic)' -d '{"aps":{"alert":"Hello"}}' \\
                -i https://\(site)/3/device/\(token)
            and with Python (pip install 'httpx[http2]'):
              python3 -c 'import httpx,ssl,sys; c=ssl.create_default_context(cafile=sys.argv[1]); \
            c.load_cert_chain(sys.argv[2]); \
            print(httpx.Client(http2=True,verify=c).post("https://\(site)/3/device/\(token)",\
            headers={"apns-topic":"\(credentials.topic)"},json={"aps":{"alert":"Hello"}}))' \
            \(authority) \(certificate)
            \(message(for: server))
            """
    }

    /// Where to look at the pushes; empty if only vendors' roles are served.
    private static func console(for server: Server) -> String {
        guard let listener = server.addresses.first(where: { $0.role == Role.any.rawValue }) else { return "" }
        let site = site(listener.address, server)
        // Without the variable, these commands use the default port.
        let usual = Command.send.options.first { $0.name == "url" }?.defaultValue ?? ""
        let isDefault = site.hasPrefix("localhost:") && usual.hasSuffix(":\(listener.address.port)")
        return "Console: http://\(site)/\n"
            + (isDefault ? "" : "For pushpit send, expect and device: export PUSHPIT_URL=http://\(site)\n")
    }

    /// A token that no device has, so the gateway makes a device that gets the first message.
    private static let registration = "cFirstMessage:APA91b" + String(repeating: "x", count: 80)

    /// A command that sends an FCM message. Empty if only Apple's roles are served, and with `--auth strict`, because
    /// the sender then needs an access token first.
    private static func message(for server: Server) -> String {
        guard server.gateway.configuration.apns.auth != .strict,
            let listener = server.addresses.first(where: { !$0.role.hasPrefix("apns") })
        else { return "" }
        return """
            A first FCM message, with curl:
              curl --cacert \(quoted(server.credentials.path("ca.pem"))) -H 'authorization: Bearer any' \\
                -H 'content-type: application/json' -d '{"message":{"token":"\(registration)","notification":{"title":"Hello"}}}' \\
                https://\(site(listener.address, server))/v1/projects/\(server.credentials.project)/messages:send

            """
    }

    /// The start message for programs, with `--log json`: one line with the members of a log line, and those of
    /// `pushpit.json` in `credentials`.
    static func json(for server: Server, at now: Timestamp) -> String {
        let credentials = server.credentials
        var json = JSONWriter()
        json.object { json in
            json.member("time", now.description)
            json.member("level", Log.Level.info.rawValue)
            json.member("message", "listening")
            json.member("version", version)
            json.member("url", url(server.addresses[0].address, server))
            json.member("pid", Int(truncatingIfNeeded: getpid()))
            json.key("listeners")
            json.array { json in
                for (role, address) in server.addresses {
                    json.object { json in
                        json.member("role", role)
                        json.member("host", address.host)
                        json.member("port", Int(address.port))
                        json.member("url", url(address, server))
                    }
                }
            }
            json.key("credentials")
            json.object { json in
                json.member("directory", Files.absolute(credentials.directory))
                json.member("made", credentials.made)
                if let port = credentials.portFiles.otherPort { json.member("otherGatewayPort", Int(port)) }
                json.member("index", Files.absolute(credentials.path(credentials.portFiles.index)))
                credentials.index.write(to: &json)
            }
        }
        return String(decoding: json.finish(), as: UTF8.self) + "\n"
    }

    /// The URL for a client, with a host that is in the certificate if there is one.
    static func url(_ address: SocketAddress, _ server: Server) -> String { "https://\(site(address, server))" }

    static func site(_ address: SocketAddress, _ server: Server) -> String {
        site(address, name: server.gateway.configuration.credentials.names.first)
    }

    /// The host and port for a client. For a listener on all addresses, it is an address of this machine.
    ///
    /// - Parameter name: the first `--server-name`.
    static func site(_ address: SocketAddress, name: String? = nil) -> String {
        let isLocal = address.isLoopback || ["0.0.0.0", "::"].contains(address.host)
        let host = address.host == "::" ? "::1" : address.host
        let isV6 = host.contains(":")
        let own = isV6 ? "[\(host)]" : isLocal ? "localhost" : host
        return "\(isLocal ? own : name ?? own):\(address.port)"
    }

    /// A path on one line, quoted for the shell if necessary.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "_")
        }
        return isPlain
            ? path
            : "'" + path.onOneLine.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
