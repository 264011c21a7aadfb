package import Credentials
package import EventLoop
package import HTTPCore
internal import JSON
internal import PushCore
internal import TLS

/// Sends APNs pushes as a provider does, with the key from the credentials directory.
package struct ProviderSender {
    /// The topic of the credentials, from `pushpit.json`.
    package let topic: String
    private let keyID: String
    private let team: String
    private let key: PrivateKey
    private let authority: [UInt8]

    package init(certificates directory: String) throws(Credentials.Problem) {
        let index = try Credentials.required("pushpit.json", in: directory)
        guard let apns = (try? JSONDocument(parsing: index))?.root["apns"], let keyID = apns["keyId"]?.string,
            let team = apns["teamId"]?.string, let topic = apns["topic"]?.string
        else { throw .missing("pushpit.json", in: directory) }
        let pem = try Credentials.required("AuthKey_\(keyID).p8", in: directory)
        self.keyID = keyID
        self.team = team
        self.topic = topic
        authority = try Credentials.required("ca.pem", in: directory)
        key = try Credentials.reading("\(directory)/AuthKey_\(keyID).p8") { () throws(CryptoError) in
            try PrivateKey(pem: pem)
        }
    }

    /// Where and how to reach a gateway.
    package struct Gateway {
        package let address: SocketAddress
        package let overTLS: Bool
        /// Use the host name of Apple's sandbox.
        package let isSandbox: Bool

        package init(_ address: SocketAddress, overTLS: Bool, isSandbox: Bool) {
            self.address = address
            self.overTLS = overTLS
            self.isSandbox = isSandbox
        }
    }

    /// - Parameters:
    ///   - fields: the headers of the push, without its provider token.
    package func send(
        _ body: [UInt8], to token: String, fields: [(String, String)], at gateway: Gateway
    ) throws(BlockingClient.Failure) -> Response {
        let connection = try ProviderConnection(to: gateway.address, trusting: gateway.overTLS ? authority : nil)
        var block = HeaderBlock([
            .method: "POST", .scheme: gateway.overTLS ? "https" : "http",
            .authority: gateway.isSandbox ? "api.sandbox.push.apple.com" : "localhost",
            .path: "/3/device/\(Self.segment(token))",
            .authorization: "bearer \(try providerToken())",
        ])
        for (name, value) in fields { block.append(HeaderName(name), value) }
        return try connection.send(block, body: body)
    }

    /// The text as one part of a path: percent-encoded, except for characters that never need it (RFC 3986 §2.3).
    static func segment(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            let isPlain =
                0x30...0x39 ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "-._~".utf8.contains(byte)
            return isPlain ? [byte] : [UInt8(ascii: "%"), Hex.lower[Int(byte >> 4)], Hex.lower[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func providerToken() throws(BlockingClient.Failure) -> String {
        let now = EventLoop.wallClock / 1000
        return try JWTSigner.sign(
            #"{"alg":"ES256","kid":"\#(keyID)"}"#, Array(#"{"iss":"\#(team)","iat":\#(now)}"#.utf8), key)
    }
}
