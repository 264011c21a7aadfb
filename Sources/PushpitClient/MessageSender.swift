package import Credentials
package import EventLoop
package import HTTPCore
internal import JSON
internal import PushCore
internal import TLS

/// Sends FCM messages like a server with a service account: it gets an access token, then sends the message.
package struct MessageSender {
    /// The service account's project.
    package let project: String
    private let email: String
    private let key: PrivateKey
    private let authority: [UInt8]

    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let audience = "https://oauth2.googleapis.com/token"
    private static let lifetime: Int64 = 3600

    package init(certificates directory: String) throws(Credentials.Problem) {
        let file = "service-account.json"
        let bytes = try Credentials.required(file, in: directory)
        guard let account = (try? JSONDocument(parsing: bytes))?.root, let project = account["project_id"]?.string,
            let email = account["client_email"]?.string, let pem = account["private_key"]?.string
        else { throw .missing(file, in: directory) }
        self.project = project
        self.email = email
        authority = try Credentials.required("ca.pem", in: directory)
        do throws(CryptoError) { key = try PrivateKey(pem: Array(pem.utf8)) } catch {
            throw Credentials.Problem(description: "\(directory)/\(file): \(error)")
        }
    }

    /// What the gateway answered.
    package struct Answer {
        package let response: Response
        /// Whether `/token` gave this answer instead of an access token, so that the message was not sent.
        package let isFromTokenEndpoint: Bool
    }

    /// - Parameter body: a complete request body for `messages:send`.
    package func send(
        _ body: [UInt8], project: String, at address: SocketAddress, overTLS: Bool
    ) throws(BlockingClient.Failure) -> Answer {
        let connection = try ProviderConnection(to: address, trusting: overTLS ? authority : nil)
        func post(_ path: String, _ type: String, _ bearer: String?, _ body: [UInt8]) throws(BlockingClient.Failure)
            -> Response
        {
            var block = HeaderBlock([
                .method: "POST", .scheme: overTLS ? "https" : "http", .authority: "localhost", .path: path,
                .contentType: type,
            ])
            if let bearer { block.append(.authorization, "Bearer \(bearer)") }
            return try connection.send(block, body: body)
        }
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(try assertion())"
        let answer = try post("/token", "application/x-www-form-urlencoded", nil, Array(form.utf8))
        guard case .bytes(let json) = answer.body, let root = try? JSONDocument(parsing: json).root,
            let bearer = root["access_token"]?.string
        else { return Answer(response: answer, isFromTokenEndpoint: true) }
        let path = "/v1/projects/\(project)/messages:send"
        return Answer(
            response: try post(path, "application/json", bearer, body), isFromTokenEndpoint: false)
    }

    private func assertion() throws(BlockingClient.Failure) -> String {
        let now = EventLoop.wallClock / 1000
        var claims = JSONWriter()
        claims.object { json in
            json.member("iss", email)
            json.member("scope", Self.scope)
            json.member("aud", Self.audience)
            json.member("iat", now)
            json.member("exp", now + Self.lifetime)
        }
        return try JWTSigner.sign(#"{"alg":"RS256","typ":"JWT"}"#, claims.finish(), key)
    }
}

/// Signs a JWT made of a header and claims.
enum JWTSigner {
    static func sign(_ head: String, _ claims: [UInt8], _ key: PrivateKey) throws(BlockingClient.Failure) -> String {
        let message = Base64URL.encode(head.utf8) + "." + Base64URL.encode(claims)
        do throws(CryptoError) {
            return message + "." + Base64URL.encode(try key.sign(Array(message.utf8)))
        } catch {
            throw BlockingClient.Failure(description: "\(error)")
        }
    }
}
