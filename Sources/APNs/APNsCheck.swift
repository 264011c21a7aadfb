internal import HTTPCore
internal import PushCore

/// One step of the decision about a device push. The order is data: Apple's is not known in every point.
package enum APNsCheck: Sendable, CaseIterable {
    case method, path, providerToken, topic, payload, deviceToken

    package static let standardOrder: [APNsCheck] = [
        .method, .path, .providerToken, .topic, .payload, .deviceToken,
    ]

    func refusal(of draft: inout APNsDraft) -> APNsReason? {
        switch self {
        case .method: draft.request.method == .post ? nil : .methodNotAllowed
        case .path: draft.readToken()
        case .providerToken: draft.hasClientCertificate ? nil : draft.providerTokenRefusal
        case .topic: draft.readTopic()
        case .payload: draft.payloadRefusal
        case .deviceToken: draft.deviceTokenRefusal
        }
    }
}

/// What the checks have read of a request so far.
struct APNsDraft {
    let request: Request
    let hasClientCertificate: Bool
    var token: ArraySlice<UInt8> = []
    var tokenBytes: [UInt8] = []
    var topic: ArraySlice<UInt8> = []

    mutating func readToken() -> APNsReason? {
        let path = request.path
        guard path.starts(with: APNsDialect.devicePath) else { return .badPath }
        token = path.dropFirst(APNsDialect.devicePath.count)
        return token.contains(UInt8(ascii: "/")) ? .badPath : nil
    }

    mutating func readTopic() -> APNsReason? {
        guard let value = request.headers.first(.apnsTopic), !value.isEmpty else { return .missingTopic }
        topic = value
        return nil
    }

    /// `bearer` in any case, then a token of three parts. Its signature and claims are not looked at yet.
    var providerTokenRefusal: APNsReason? {
        guard let value = request.headers.first(.authorization),
            value.count > 7, Self.isBearer(value.prefix(7))
        else { return .missingProviderToken }
        var dots = 0
        var previous = UInt8(ascii: ".")
        for byte in value.dropFirst(7) {
            if byte == UInt8(ascii: ".") {
                if previous == byte { return .invalidProviderToken }
                dots += 1
            }
            previous = byte
        }
        return dots == 2 && previous != UInt8(ascii: ".") ? nil : .invalidProviderToken
    }

    private static let scheme = Array("bearer ".utf8)

    private static func isBearer(_ word: ArraySlice<UInt8>) -> Bool {
        for (offset, byte) in word.enumerated() where byte | 0x20 != scheme[offset] { return false }
        return true
    }

    var payloadRefusal: APNsReason? {
        if request.bodyIsOverLimit { return .payloadTooLarge }
        return request.body.isEmpty ? .payloadEmpty : nil
    }

    var deviceTokenRefusal: APNsReason? {
        mutating get {
            if token.isEmpty { return .missingDeviceToken }
            guard (64...200).contains(token.count), let bytes = Hex.decode(token) else { return .badDeviceToken }
            tokenBytes = bytes
            return nil
        }
    }
}
