internal import HTTPCore
internal import PushCore

/// One step of the decision about a device push. The order is data: Apple's is not known in every point.
package enum APNsCheck: Sendable, CaseIterable {
    case method, path, providerToken, topic, payload, deviceToken

    package static let standardOrder: [APNsCheck] = [
        .method, .path, .providerToken, .topic, .payload, .deviceToken,
    ]

    func refusal(of request: Request, _ draft: inout APNsDraft) -> APNsReason? {
        switch self {
        case .method: request.method == .post ? nil : .methodNotAllowed
        case .path: draft.readToken(request.headers.storage.span)
        case .providerToken: draft.hasClientCertificate ? nil : draft.readProviderToken(request.headers.storage.span)
        case .topic: draft.readTopic()
        case .payload: request.bodyIsOverLimit ? .payloadTooLarge : request.body.isEmpty ? .payloadEmpty : nil
        case .deviceToken: draft.decodeToken(request.headers.storage.span)
        }
    }
}

/// What the checks have read of a request so far. Ranges are places in its field block.
struct APNsDraft {
    let hasClientCertificate: Bool
    private let fields: APNsFields
    private var token = 0..<0
    private(set) var device: DeviceToken?
    private(set) var topic = 0..<0

    init(_ headers: HeaderBlock, hasClientCertificate: Bool) {
        fields = APNsFields(headers)
        self.hasClientCertificate = hasClientCertificate
    }

    mutating func readToken(_ block: Span<UInt8>) -> APNsReason? {
        guard let path = fields.path else { return .badPath }
        let start = APNsDialect.devicePath
        guard block.extracting(path).starts(with: start) else { return .badPath }
        let rest = block.extracting((path.lowerBound + start.count)..<path.upperBound)
        let hasQuery = rest.count(of: UInt8(ascii: "?")) > 0
        let end = hasQuery ? rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.count : rest.count
        guard rest.extracting(0..<end).count(of: UInt8(ascii: "/")) == 0 else { return .badPath }
        token = (path.upperBound - rest.count)..<(path.upperBound - rest.count + end)
        return nil
    }

    mutating func readTopic() -> APNsReason? {
        guard let value = fields.topic, !value.isEmpty else { return .missingTopic }
        topic = value
        return nil
    }

    /// `bearer` in any case, then a token of three parts. Its signature and claims are not looked at yet.
    func readProviderToken(_ block: Span<UInt8>) -> APNsReason? {
        let scheme = Self.scheme
        guard let value = fields.authorization, value.count > scheme.count else { return .missingProviderToken }
        for offset in scheme.indices where block[value.lowerBound + offset] | 0x20 != scheme[offset] {
            return .missingProviderToken
        }
        return Self.hasThreeParts(block.extracting((value.lowerBound + scheme.count)..<value.upperBound))
            ? nil : .invalidProviderToken
    }

    private static func hasThreeParts(_ token: Span<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard token.count(of: dot) == 2, token[0] != dot, token[token.count - 1] != dot else { return false }
        return token.firstIndex(of: dot).map { token[$0 + 1] != dot } ?? false
    }

    private static let scheme = Array("bearer ".utf8)

    mutating func decodeToken(_ block: Span<UInt8>) -> APNsReason? {
        if token.isEmpty { return .missingDeviceToken }
        device = DeviceToken(hex: block.extracting(token))
        return device == nil ? .badDeviceToken : nil
    }
}
