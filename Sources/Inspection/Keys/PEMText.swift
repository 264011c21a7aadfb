internal import PushCore

/// The blocks of a PEM text, by their labels. The base64 between the lines is not decoded.
struct PEMText {
    struct Block: Equatable {
        let label: String
        /// Whether the line with END is there.
        let isComplete: Bool
        /// Whether the key is encrypted. The label says so, or in the older form a field above the base64.
        let isEncrypted: Bool
    }

    let blocks: [Block]

    /// More blocks are ignored. A chain of certificates has about four.
    private static let maximumBlocks = 32

    init(_ text: String) {
        blocks = text.pieces(separatedBy: "-----BEGIN ", maxSplits: Self.maximumBlocks)
            .dropFirst().prefix(Self.maximumBlocks)
            .map { piece in
                let label = String(piece.prefix { $0 != "-" && !$0.isNewline }.prefix(60))
                return Block(
                    label: label, isComplete: piece.includes("-----END \(label)-----"),
                    isEncrypted: label == "ENCRYPTED PRIVATE KEY" || piece.includes("Proc-Type: 4,ENCRYPTED"))
            }
    }

    /// Puts line feeds where the text has the characters `\n`.
    static func unescaped(_ text: String) -> String {
        text.pieces(separatedBy: "\\n").joined(separator: "\n")
    }

    func has(_ labels: String...) -> Bool { blocks.contains { labels.contains($0.label) } }

    /// The first block that holds a private key of any form.
    var privateKey: Block? { blocks.first { $0.label.hasSuffix("PRIVATE KEY") } }

    static let certificates = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]
    static let requests = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]
    private static let others = ["PUBLIC KEY", "EC PARAMETERS"]

    /// The label of the first block that is not a key, a certificate or a request for one.
    var foreignLabel: String? {
        blocks.first { block in
            !block.label.hasSuffix("PRIVATE KEY")
                && !(Self.certificates + Self.requests + Self.others).contains(block.label)
        }?.label
    }
}
