import EventLoop
import Gateway
import HTTPCore
import PushCore

@testable import TLS

/// One value has one spelling, both ways.
func fuzzBase64URL(_ bytes: [UInt8]) {
    demand(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes, "encoded and decoded is another")
    guard let decoded = Base64URL.decode(bytes) else { return }
    demand(Base64URL.encode(decoded).utf8.elementsEqual(bytes), "decoded and encoded is another")
}

/// Decoded exactly where all are digits in pairs.
func fuzzHex(_ bytes: [UInt8]) {
    demand(Hex.decode(Array(Hex.encode(bytes).utf8).span) == bytes, "encoded and decoded is another")
    let isHex = bytes.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
    }
    let decoded = Hex.decode(bytes.span)
    demand((decoded != nil) == (isHex && bytes.count % 2 == 0), "taken for hex, or not")
    guard let decoded else { return }
    demand(
        Hex.encode(decoded) == String(decoding: bytes, as: UTF8.self).lowercased(),
        "decoded and encoded is another")
}

/// An address is written as it can be read again; so are a listener's and a web page's.
func fuzzAddress(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let address = SocketAddress(parsing: text) {
        demand(SocketAddress(parsing: address.description) == address, "\(text) became \(address)")
        demand(!address.host.isEmpty, "no host in \(text)")
        let port = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last ?? []
        demand(port.allSatisfy { (0x30...0x39).contains($0) }, "a port that is no number in \(text)")
    }
    if let origin = WebOrigin(parsing: text) {
        demand(WebOrigin(parsing: origin.description) == origin, "\(text) became \(origin)")
    }
    guard let spec = ListenerSpec(parsing: text) else { return }
    demand(ListenerSpec(parsing: "\(spec.roleName)=\(spec.address)") == spec, "\(text) became \(spec)")
}
