package import HTTPCore
package import PushCore

/// What has been read from a request so far. Ranges are positions in the bytes of its header block.
package struct APNsDraft {
    let fields: APNsFields
    package let environment: PushEnvironment
    /// The path is `/3/device/` followed by something that may be a token.
    package let hasPath: Bool
    /// The position of the device token's digits.
    let digits: Range<Int>
    /// The device token; nil if the digits are not a valid token.
    package let device: DeviceToken?
    /// The device that the token belongs to; nil if the token is unknown. The caller sets it before the checks run.
    package var binding: TokenBinding?
    var topic: APNsTopic?
    var pushType: APNsPushType?
    var priority = 10
    /// `apns-expiration` in seconds since 1970; nil if it is absent.
    var expiration: UInt64?
    /// The payload wakes the app ('content-available' is 1), whether or not it also shows something.
    var wakesApp = false
    package var backgroundMistakes: BackgroundMistakes = []
    package var findings: [Finding] = []
    /// The finding for which the payload is refused.
    var refusedFinding: Finding?

    package init(_ headers: HeaderBlock, in environment: PushEnvironment) {
        fields = APNsFields(headers)
        self.environment = environment
        let block = headers.storage.span
        let found = Self.digits(fields[.path], block)
        hasPath = found != nil
        digits = found ?? 0..<0
        device = DeviceToken(hex: block.extracting(digits))
    }

    /// The slot of the device in `binding`.
    package var slot: Int? { binding?.slot }

    /// The position of the request's `apns-id`.
    package var suppliedID: Range<Int>? { fields[.id] }

    /// The bundle id: the topic without its suffix.
    package var app: String { topic?.app ?? "" }

    /// The bundle id, even if the checks stopped before they read the topic.
    package func app(_ headers: HeaderBlock) -> String {
        if let topic { return topic.app }
        let text = headers.storage.span
        guard let place = fields[.topic], APNsTopic.isWellFormed(text.extracting(place)) else { return "" }
        return APNsTopic(text.extracting(place)).app
    }

    /// The kind of push, from `apns-push-type` or else from the topic's suffix.
    var kind: APNsPushType? { pushType ?? topic?.kind }

    /// The part after `/3/device/` and before a query; nil for any other path.
    private static func digits(_ path: Range<Int>?, _ block: Span<UInt8>) -> Range<Int>? {
        let start = devicePath
        guard let path, block.extracting(path).starts(with: start) else { return nil }
        let first = path.lowerBound + start.count
        let rest = block.extracting(first..<path.upperBound)
        if !rest.contains(UInt8(ascii: "?"), or: UInt8(ascii: "/")) { return first..<path.upperBound }
        let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.count
        return rest.extracting(0..<end).count(of: UInt8(ascii: "/")) == 0 ? first..<(first + end) : nil
    }

    /// The position of the token after `bearer`, which may be in upper or lower case. Nil without a token.
    func providerToken(_ block: Span<UInt8>) -> Range<Int>? {
        let scheme = Self.scheme
        guard let value = fields[.authorization], value.count > scheme.count else { return nil }
        for offset in scheme.indices where block[value.lowerBound + offset] | 0x20 != scheme[offset] { return nil }
        return (value.lowerBound + scheme.count)..<value.upperBound
    }

    private static let devicePath = Array("/3/device/".utf8)
    private static let scheme = Array("bearer ".utf8)
}
