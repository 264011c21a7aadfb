@testable import TLS

/// Encrypted bodies for a browser: its own codings, also with a header that is right up to the text. The first two bytes
/// choose the size of the records. What is encrypted in the older coding is read as it was, and not with a bit changed.
func fuzzWebPushCipher(_ input: [UInt8]) {
    guard input.count >= 2, let (pem, point) = own else { return }
    let secret = [UInt8](repeating: 7, count: 16)
    let receiver = WebPushCipher.Receiver(privateKey: pem, key: point, secret: secret)
    let body = Array(input[2...])
    let header = [UInt8](repeating: 1, count: 16) + [0, 0] + input[..<2] + [65] + point
    for bytes in [body, header + body] {
        demand((try? WebPushCipher.open(bytes, for: receiver)) == nil, "a body was decrypted that no one has encrypted")
    }
    let size = Int(input[0]) << 8 | Int(input[1])
    _ = try? WebPushCipher.openOld(body, salt: Array(body.prefix(16)), key: point, size: size, for: receiver)
    guard let cipher = try? WebPushCipher(body, for: point, secret: secret) else { return }
    var sealed = cipher.body
    func opened() -> [UInt8]? {
        try? WebPushCipher.openOld(sealed, salt: cipher.salt, key: cipher.key, size: 4096, for: receiver)
    }
    demand(opened() == body, "a body read back otherwise")
    sealed[size % sealed.count] ^= 1
    demand(opened() == nil, "a body with a changed bit was read")
}

/// The browser's key.
private let own: (pem: [UInt8], point: [UInt8])? = {
    guard let key = try? PrivateKey.generateP256(), let pem = try? key.pem, let point = try? key.point else {
        return nil
    }
    return (pem, point)
}()
