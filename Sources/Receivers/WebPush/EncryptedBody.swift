package import HTTPCore
package import JSON
internal import PushCore

/// What can be seen of the encrypted body of a web push without the receiver's key (RFC 8188, RFC 8291).
package struct EncryptedBody: JSONWritable {
    private let encoding: String?
    private let count: Int
    private let head: ArraySlice<UInt8>

    package init(_ request: borrowing Request) {
        let sealed = request.sealedBody
        encoding =
            sealed?.coding
            ?? request.headers.first(HeaderName("content-encoding")).map { String(decoding: $0, as: UTF8.self) }
        count = sealed?.count ?? request.body.count
        head = sealed?.head[...] ?? request.body[...]
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("encoding", encoding)
            json.member("bytes", count)
            // The header of the body: a salt, the size of a record, and the sender's key of this push.
            let (salt, rest) = (head.prefix(16), head.dropFirst(16))
            guard encoding == "aes128gcm", let length = rest.dropFirst(4).first else { return }
            json.member("salt", Base64URL.encode(salt))
            json.member("recordSize", rest.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            json.member("key", Base64URL.encode(rest.dropFirst(5).prefix(Int(length))))
        }
    }
}
