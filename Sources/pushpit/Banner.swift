internal import EventLoop
internal import Gateway

/// What is printed at the start: what to open, and lines that send a first push.
enum Banner {
    static func text(for server: Server) -> String {
        let credentials = server.credentials
        let listeners = server.addresses.map { "  https://\($0.address)  (also http; role \($0.role.rawValue))" }
        let port = server.addresses[0].address.port
        let token = String(repeating: "a1b2c3d4", count: 8)
        return """
            Pushpit \(version) listens on
            \(listeners.joined(separator: "\n"))
            Credentials: \(credentials.directory)/ (authority ca.pem, APNs key AuthKey_\(credentials.keyID).p8, team \(credentials.teamID))
            A first push, with curl:
              curl --http2 --cacert \(credentials.directory)/ca.pem --cert \(credentials.directory)/apns-client.pem \\
                -H 'apns-topic: \(credentials.topic)' -d '{"aps":{"alert":"Hello"}}' \\
                -i https://localhost:\(port)/3/device/\(token)
            and with Python (pip install 'httpx[http2]'):
              python3 -c 'import httpx,ssl; c=ssl.create_default_context(cafile="\(credentials.directory)/ca.pem"); \
            c.load_cert_chain("\(credentials.directory)/apns-client.pem"); \
            print(httpx.Client(http2=True,verify=c).post("https://localhost:\(port)/3/device/\(token)",\
            headers={"apns-topic":"\(credentials.topic)"},json={"aps":{"alert":"Hello"}}))'

            """
    }
}
