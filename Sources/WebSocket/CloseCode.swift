/// Why a WebSocket is closed: codes of RFC 6455, and from 4000 on codes of Pushpit's device socket (docs/devices.md).
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
    package static let internalError = CloseCode(rawValue: 1011)
    package static let noHello = CloseCode(rawValue: 4000)
    package static let unknownDevice = CloseCode(rawValue: 4001)
    package static let replaced = CloseCode(rawValue: 4002)
    package static let deleted = CloseCode(rawValue: 4003)
    package static let tooSlow = CloseCode(rawValue: 4004)

    /// Whether a peer may send this code in a Close frame: the codes of RFC 6455, the ones that IANA registered later,
    /// and the ranges for libraries and applications.
    var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
