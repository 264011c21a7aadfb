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
            value.prefix(7).map({ $0 | 0x20 }).elementsEqual("bearer ".utf8)
        else { return .missingProviderToken }
        let parts = value.dropFirst(7).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { !$0.isEmpty } ? nil : .invalidProviderToken
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
