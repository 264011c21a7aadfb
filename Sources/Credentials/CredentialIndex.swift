package import JSON
internal import Platform
internal import PushCore

/// The paths and ids of the credentials, as `pushpit.json` has them.
package struct CredentialIndex: Sendable {
    let directory: String
    let keyID: String
    let teamID: String
    /// The name of the service account's file.
    let serviceAccount: String
    /// The topic of the client certificate.
    let topic: String
    /// The URL of the gateway that used the directory last; nil if there was none.
    let url: String?

    init(
        directory: String, key: (id: String, teamID: String), serviceAccount: String, topic: String, url: String?
    ) {
        self.directory = Files.absolute(directory)
        keyID = key.id
        teamID = key.teamID
        self.serviceAccount = serviceAccount
        self.topic = topic
        self.url = url
    }

    /// - Parameters:
    ///   - account: the path of a service account that replaces the usual one.
    ///   - url: replaces the URL of the gateway.
    package func write(to json: inout JSONWriter, account: String? = nil, url: String? = nil) {
        json.member("ca", "\(directory)/ca.pem")
        json.key("apns")
        json.object { json in
            json.member("key", "\(directory)/AuthKey_\(keyID).p8")
            json.member("keyId", keyID)
            json.member("teamId", teamID)
            json.member("topic", topic)
            json.member("clientCertificate", "\(directory)/apns-client.pem")
        }
        json.key("fcm")
        json.object { json in
            json.member("project", Credentials.project)
            json.member("serviceAccount", account ?? "\(directory)/\(serviceAccount)")
        }
        if let url = url ?? self.url {
            json.member("url", url)
            json.key("receivers")
            json.object { json in Self.writeReceivers(url, to: &json) }
        }
        json.member("version", Product.version)
    }

    /// Where real receivers connect and register, and where senders of web pushes send (docs/receivers.md).
    private static func writeReceivers(_ url: String, to json: inout JSONWriter) {
        let host = url.dropFirst("https://".count)
        json.member("checkin", "\(url)/checkin")
        json.member("register", "\(url)/c2dm/register3")
        json.member("mcs", String(host))
        json.member("autopush", "wss://\(host)/")
        json.member("webpush", "\(url)/fcm/send/")
        json.member("installations", "\(url)/v1/projects/\(Credentials.project)/installations")
        json.member("registrations", "\(url)/v1/projects/\(Credentials.project)/registrations")
    }
}
