/// Why a socket is closed: RFC 6455's codes and our own.
package struct CloseCode: RawRepresentable, Error, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let unsupportedData = CloseCode(rawValue: 1003)
    package static let invalidText = CloseCode(rawValue: 1007)
    package static let notAllowed = CloseCode(rawValue: 1008)
    package static let tooBig = CloseCode(rawValue: 1009)
    package static let noHello = CloseCode(rawValue: 4000)
    package static let unknownDevice = CloseCode(rawValue: 4001)
    package static let replaced = CloseCode(rawValue: 4002)
    package static let deleted = CloseCode(rawValue: 4003)
    package static let tooSlow = CloseCode(rawValue: 4004)

    /// One a peer may put into a Close frame: RFC 6455's, IANA's later ones, and those left to libraries and us.
    var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
