internal import JSON
internal import PushCore

/// An input as the rules read it: without a byte order mark, and as text if it is text.
struct Subject {
    let bytes: [UInt8]
    /// The text without white space around it; empty if the bytes are not UTF-8.
    let text: String
    let name: String?
    let input: InspectionInput
    let opener: FileOpener
    let now: Timestamp
    /// The input as a JSON object.
    let root: JSONView?

    init(_ bytes: [UInt8], _ input: InspectionInput, _ opener: FileOpener, at now: Timestamp) {
        self.bytes = bytes
        name = input.name
        self.input = input
        self.opener = opener
        self.now = now
        let text = String(validating: bytes, as: UTF8.self) ?? ""
        self.text = Self.trimmed(text)
        root = text.utf8.first { !Self.isBlank($0) } == UInt8(ascii: "{") ? Self.object(bytes) : nil
    }

    /// A JSON object of at most the depth that Google's parser accepts; nil for anything else.
    static func object(_ bytes: [UInt8]) -> JSONView? {
        let limits = JSONLimits(maximumDepth: 100, maximumBytes: InspectionInput.maximumBytes)
        guard let root = try? JSONDocument(parsing: bytes, limits: limits).root, root.kind == .object else {
            return nil
        }
        return root
    }

    /// The text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    var nowInSeconds: Int64 { now.seconds }

    /// A time as `2026-11-21T04:05:06Z`.
    static func date(_ seconds: Int64) -> String {
        let range = Timestamp.representable
        let shown = min(max(seconds, 0), range.upperBound / 1000)
        return Timestamp(milliseconds: shown &* 1000).description.dropLast(5) + "Z"
    }

    /// A duration in words: `5 seconds`, `3 hours`.
    static func duration(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        for (unit, name) in units where seconds >= 2 &* unit { return "\(seconds / max(unit, 1)) \(name)" }
        return "\(seconds) seconds"
    }
}
