internal import PushCore

/// The texts of a property list in XML, as far as `GoogleService-Info.plist` needs them.
struct PropertyList {
    private var texts: [String: String] = [:]

    /// More keys are ignored. Google's file has about 15.
    private static let maximumKeys = 100

    static func isXML(_ text: String) -> Bool {
        text.hasPrefix("<") && text.includes("<plist") && text.includes("<key>")
    }

    static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist0".utf8) }

    init(_ xml: String) {
        let pieces = xml.pieces(separatedBy: "<key>", maxSplits: Self.maximumKeys)
        for piece in pieces.dropFirst().prefix(Self.maximumKeys) {
            let parts = piece.pieces(separatedBy: "</key>", maxSplits: 1)
            guard let name = parts.first, let value = parts.dropFirst().first?.drop(while: \.isWhitespace),
                value.hasPrefix("<string>")
            else { continue }
            texts[String(name.prefix(100))] = String(value.dropFirst(8).prefix { $0 != "<" }.prefix(300))
        }
    }

    subscript(name: String) -> String? { texts[name] }
}
