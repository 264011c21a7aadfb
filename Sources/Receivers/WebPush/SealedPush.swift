package import HTTPCore
internal import JSON
internal import PushCore

/// The encrypted body of a web push to a simulated browser.
package struct SealedPush {
    package let body: [UInt8]
    /// How it is encrypted.
    package let coding: Coding

    package enum Coding: Equatable {
        case aes128gcm
        /// The older coding, whose parameters are in fields of the request.
        case aesgcm(salt: [UInt8], key: [UInt8], recordSize: Int)
    }

    /// Why a browser can't decrypt a push: a sentence that ends a finding.
    package struct Damage: Error, Equatable {
        package let sentence: String
        package init(_ sentence: String) { self.sentence = sentence }
    }

    package init(_ push: WebPush, _ encoding: ContentEncoding) throws(Damage) {
        body = push.request.body
        switch encoding.name {
        case "aes128gcm": coding = .aes128gcm
        case "aesgcm":
            func value(_ name: String, _ field: String?) -> [UInt8]? {
                field.flatMap { VAPID.value(name, in: $0[...]) }.flatMap { Base64URL.decodeAny($0.utf8) }
            }
            guard let salt = value("salt", encoding.encryption), salt.count == 16 else {
                throw Damage("the field 'encryption' has no 'salt' of 16 bytes")
            }
            guard let key = value("dh", encoding.cryptoKey) else { throw Damage("the field 'crypto-key' has no 'dh'") }
            let size = encoding.encryption.flatMap { VAPID.value("rs", in: $0[...]) }.flatMap { Int($0) }
            coding = .aesgcm(salt: salt, key: key, recordSize: size ?? 4096)
        case "": throw Damage("it has no 'content-encoding'")
        default: throw Damage("browsers do not know the 'content-encoding' \(encoding.name.quoted)")
        }
    }
}

extension Request {
    /// The name of the field that keeps what is known of the encrypted body. No client can send such a name.
    private static let sealedField = HeaderName(":encrypted")

    /// The same request with the decrypted body, as the log keeps it: without the fields about the encrypted one.
    package func opened(_ text: [UInt8]) -> Request {
        var plain = HeaderBlock()
        for field in headers {
            let name = String(decoding: field.name, as: UTF8.self)
            if name != "content-encoding", name != "content-length" { plain.append(field.name, field.value) }
        }
        let coding = headers.first(HeaderName("content-encoding")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        plain.append(Self.sealedField, "\(body.count) \(Base64URL.encode(body.prefix(21 + 255))) \(coding)")
        var request = Request(version: version, headers: plain)
        request.body = text
        return request
    }

    /// The size of the encrypted body, its beginning and its coding; nil if the body is as it was sent.
    package var sealedBody: (count: Int, head: [UInt8], coding: String)? {
        guard let field = headers.first(Self.sealedField) else { return nil }
        let parts = String(decoding: field, as: UTF8.self).split(separator: " ")
        guard parts.count == 3, let count = Int(parts[0]), let head = Base64URL.decode(parts[1].utf8) else {
            return nil
        }
        return (count, head, String(parts[2]))
    }
}
