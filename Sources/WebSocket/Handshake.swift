/// A server's decision about an opening handshake (RFC 6455 §4.2).
package enum Handshake: Sendable, Equatable {
    /// Answer 101 with this `sec-websocket-accept`, and with the subprotocol if it is not nil.
    case accept(key: String, subprotocol: String?)
    case refuse(status: Int, reason: String)

    /// Checks the header fields of a client's request.
    ///
    /// - Parameters:
    ///   - offered: the value of `Sec-WebSocket-Protocol`. A client that offers no subprotocol is accepted.
    ///   - speaks: the only subprotocol that the server supports.
    package static func judge(
        key: ArraySlice<UInt8>?, version: ArraySlice<UInt8>?, offered: ArraySlice<UInt8>?,
        speaks subprotocol: String
    ) -> Handshake {
        guard let version, version.elementsEqual("13".utf8) else {
            return .refuse(status: 426, reason: "Sec-WebSocket-Version must be 13.")
        }
        guard let key, isKey(key) else {
            return .refuse(status: 400, reason: "Sec-WebSocket-Key must be 16 bytes in base64.")
        }
        let names = (offered ?? []).split(separator: UInt8(ascii: ",")).map(trimmed).filter { !$0.isEmpty }
        guard names.isEmpty || names.contains(where: { $0.elementsEqual(subprotocol.utf8) }) else {
            return .refuse(
                status: 400,
                reason: "The server supports only the subprotocol \(subprotocol); offer it, or no subprotocol.")
        }
        let accept = SHA1.digest(Array(key) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        return .accept(key: Base64.encode(accept), subprotocol: names.isEmpty ? nil : subprotocol)
    }

    /// Whether `text` is 16 bytes in base64: 22 characters and two of padding.
    private static func isKey(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 24 && text.suffix(2).elementsEqual("==".utf8)
            && text.dropLast(2).allSatisfy(Base64.isDigit)
    }

    private static func trimmed(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var name = name.drop(while: isBlank)
        while let last = name.last, isBlank(last) { name.removeLast() }
        return name
    }
}
