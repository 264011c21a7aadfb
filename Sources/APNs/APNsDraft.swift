package import HTTPCore
package import PushCore

/// What the checks have read of a request so far. Ranges are places in its field block.
package struct APNsDraft {
    let fields: APNsFields
    package let environment: PushEnvironment
    /// It is `/3/device/` and what may be a token.
    package let hasPath: Bool
    /// The device token's digits.
    let digits: Range<Int>
    package let device: DeviceToken?
    /// Whose that is; nil: nobody's.
    package var binding: TokenBinding?
    var topic: APNsTopic?
    var pushType: APNsPushType?
    var priority = 10
    /// In seconds; nil where the field is absent.
    var expiration: UInt64?
    /// The payload wakes the app, whether it shows something or not.
    var wakesApp = false
    package var findings: [Finding] = []
    /// What of the payload is refused.
    var refused: Finding?

    package init(_ headers: HeaderBlock, in environment: PushEnvironment) {
        fields = APNsFields(headers)
        self.environment = environment
        let block = headers.storage.span
        let found = Self.digits(fields.path, block)
        hasPath = found != nil
        digits = found ?? 0..<0
        device = DeviceToken(hex: block.extracting(digits))
    }

    /// Where the `apns-id` that was sent lies.
    package var ownID: Range<Int>? { fields.id }

    /// The bundle id: the topic without its suffix.
    package var app: String { topic?.app ?? "" }

    /// The same where the checks did not get that far.
    package func app(_ headers: HeaderBlock) -> String {
        if let topic { return topic.app }
        let text = headers.storage.span
        guard let place = fields.topic, APNsTopic.isWellFormed(text.extracting(place)) else { return "" }
        return APNsTopic(text.extracting(place)).app
    }

    /// What kind of push it is: as its type says, else as its topic's suffix does.
    var kind: APNsPushType? { pushType ?? topic?.kind }

    /// What follows `/3/device/`, up to a query; nil where the path is another.
    private static func digits(_ path: Range<Int>?, _ block: Span<UInt8>) -> Range<Int>? {
        let start = devicePath
        guard let path, block.extracting(path).starts(with: start) else { return nil }
        let first = path.lowerBound + start.count
        let rest = block.extracting(first..<path.upperBound)
        let isPlain = rest.count(of: UInt8(ascii: "?")) == 0
        let end = isPlain ? rest.count : rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.count
        return rest.extracting(0..<end).count(of: UInt8(ascii: "/")) == 0 ? first..<(first + end) : nil
    }

    /// What stands behind `bearer`, in any case of letters; nil where nothing does.
    func providerToken(_ block: Span<UInt8>) -> Range<Int>? {
        let scheme = Self.scheme
        guard let value = fields.authorization, value.count > scheme.count else { return nil }
        for offset in scheme.indices where block[value.lowerBound + offset] | 0x20 != scheme[offset] { return nil }
        return (value.lowerBound + scheme.count)..<value.upperBound
    }

    private static let devicePath = Array("/3/device/".utf8)
    private static let scheme = Array("bearer ".utf8)
}
