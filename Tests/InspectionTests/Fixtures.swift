import PushCore
import TLS

@testable import Inspection

/// Keys, certificates and tokens for the tests. Pushpit's own code makes them.
enum Fixtures {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let seconds = now.seconds

    struct Failure: Error {}

    /// A new key in each run of the tests.
    static let key = must { try PrivateKey.generateP256().pem }
    static let otherKey = must { try PrivateKey.generateP256().pem }
    static let rsa = must { try PrivateKey.generateRSA2048().pem }

    private static func must<Value>(_ make: () throws -> Value) -> Value {
        do { return try make() } catch { fatalError("a fixture cannot be made: \(error)") }
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A client certificate for an app, with its key.
    static func identity(
        _ environments: PushEnvironments = .both, grants: [TopicGrant]? = nil, _ validity: Validity? = nil
    ) -> Identity {
        must {
            let authority = try CertificateAuthority.create(now: seconds)
            let request = ClientCertificateRequest(
                topic: "com.example.app", grants: grants, environments: environments, validity: validity)
            return try authority.issueClientCertificate(request, now: seconds)
        }
    }

    static func certificate(
        _ environments: PushEnvironments = .both, grants: [TopicGrant]? = nil, _ validity: Validity? = nil
    ) -> String {
        text(must { try identity(environments, grants: grants, validity).pem })
    }

    static func pkcs12(password: String) -> [UInt8] {
        let own = identity()
        return must {
            try PKCS12.make(key: own.key, certificate: own.certificate, password: password, friendlyName: "push")
        }
    }

    /// A JWT of these two JSON texts, signed with this key.
    static func jwt(_ header: String, _ claims: String, by pem: [UInt8] = key) -> String {
        let message = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = must { try PrivateKey(pem: pem).sign(Array(message.utf8)) }
        return "\(message).\(Base64URL.encode(signature))"
    }

    static let goodHeader = #"{"alg":"ES256","kid":"ABCDE12345"}"#
    static func providerToken(
        header: String = goodHeader, issuer: String = #""TEAM567890""#, issued: String = "\(seconds)"
    ) -> String {
        jwt(header, #"{"iss":\#(issuer),"iat":\#(issued)}"#)
    }

    static func assertion(
        header: String = #"{"alg":"RS256","typ":"JWT"}"#, issuer: String = "sender@shop.iam.gserviceaccount.com",
        audience: String = "https://oauth2.googleapis.com/token",
        scope: String = "https://www.googleapis.com/auth/firebase.messaging",
        times: String = #""iat":\#(seconds),"exp":\#(seconds + 3600)"#
    ) -> String {
        jwt(header, #"{"iss":"\#(issuer)","aud":"\#(audience)","scope":"\#(scope)",\#(times)}"#, by: rsa)
    }

    /// A service account with some members replaced, or left out by nil.
    static func account(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "type": "service_account", "project_id": "shop", "private_key": escaped(rsa),
            "client_email": "sender@shop.iam.gserviceaccount.com", "token_uri": "https://oauth2.googleapis.com/token",
        ]
        for (name, value) in changes { members[name] = value }
        let list = members.sorted { $0.key < $1.key }.compactMap { name, value in value.map { #""\#(name)":"\#($0)""# }
        }
        return "{\(list.joined(separator: ","))}"
    }

    /// PEM as it is written in a JSON string.
    static func escaped(_ pem: [UInt8]) -> String {
        text(pem).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
    }

    static func services(project: String = "shop", number: String = "123456789012") -> String {
        #"""
        {"project_info":{"project_id":"\#(project)","project_number":"\#(number)"},"client":[{"client_info":
        {"android_client_info":{"package_name":"com.example.shop"}}}]}
        """#
    }

    static func propertyList(bundle: String = "com.example.app") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>GCM_SENDER_ID</key><string>123456789012</string><key>PROJECT_ID</key>
        <string>shop</string><key>BUNDLE_ID</key><string>\(bundle)</string></dict></plist>
        """
    }

    static let deviceToken = String(repeating: "a1b2c3d4", count: 8)
    static let fcmToken = "dQw4w9WgXcQ_dQw4w9WgXc:APA91b" + String(repeating: "xY_-", count: 30)

    static func inspect(_ text: String, name: String? = nil) -> InspectionReport {
        Inspector.inspect(InspectionInput(Array(text.utf8), name: name), at: now).report
    }
}
