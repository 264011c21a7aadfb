/// Checks a host with an optional port (RFC 9110 §7.2, RFC 3986 §3.2). A user name is not allowed.
enum HostSyntax {
    static func isValid(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first else { return false }
        if first == UInt8(ascii: "[") {
            guard let close = value.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = value[(value.startIndex + 1)..<close]
            return address.count >= 2 && address.allSatisfy(isAddressByte) && isPort(value[(close + 1)...])
        }
        let colon = value.firstIndex(of: UInt8(ascii: ":")) ?? value.endIndex
        return isName(value[..<colon]) && isPort(value[colon...])
    }

    /// Whether `rest` is empty or a colon and a port number. RFC 3986 allows the number to be missing.
    private static func isPort(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isDigit) else {
            return false
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65535
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard !name.isEmpty else { return false }
        var index = name.startIndex
        while index < name.endIndex {
            if name[index] == UInt8(ascii: "%") {
                guard name.endIndex - index > 2, name[index + 1].hexDigitValue != nil,
                    name[index + 2].hexDigitValue != nil
                else { return false }
                index += 3
            } else {
                guard isNameByte(name[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// `unreserved` and `sub-delims`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x2D, 0x2E, 0x5F, 0x7E: true  // - . _ ~
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true  // ! $ & ' ( ) * + , ; =
        default: false
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        byte.hexDigitValue != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}
