/// The answer that a phone gets when it fetches a URL.
package struct Media: Sendable {
    package var status: Int
    package var contentType: String
    package var size: Int
    /// How long the fetch takes, in milliseconds.
    package var delay: Int64
    /// What the first bytes show. Nil for an entry of the media table without bytes, whose Content-Type is believed.
    package var format: MediaFormat?
    /// Whether the answer has a Content-Length.
    package var announcesSize = true
    /// The bytes, if they are kept.
    package var content: [UInt8]?

    package init(status: Int = 200, contentType: String, size: Int, delay: Int64 = 0) {
        self.status = status
        self.contentType = contentType
        self.size = size
        self.delay = delay
    }
}

/// What a file is, by its first bytes. New formats go to the end, because the number of a format is saved.
package enum MediaFormat: Sendable, CaseIterable {
    case jpeg, png, gif, webp, bmp, heif, aiff, wav, mp3, mpeg4, mpeg, avi, unknown

    package enum Family: String { case image, audio, video }

    /// The families of types that the format may belong to. MPEG-4 files are audio or video.
    package var families: [Family] {
        switch self {
        case .jpeg, .png, .gif, .webp, .bmp, .heif: [.image]
        case .aiff, .wav, .mp3: [.audio]
        case .mpeg4: [.audio, .video]
        case .mpeg, .avi: [.video]
        case .unknown: []
        }
    }

    /// How many bytes `init(of:)` looks at.
    package static let headLength = 12

    /// - Parameter head: the first bytes of the file.
    package init(of head: [UInt8]) {
        let found = Self.signatures.first { signature in
            signature.parts.allSatisfy { head.dropFirst($0.offset).starts(with: $0.bytes) }
        }
        self = found?.format ?? (Self.isMP3(head) ? .mp3 : .unknown)
    }

    /// An MP3 file without a tag begins with a frame: eleven bits are 1, and the layer is III.
    private static func isMP3(_ head: [UInt8]) -> Bool {
        head.count > 1 && head[0] == 0xFF && head[1] & 0xE6 == 0xE2
    }

    private static let signatures: [(format: MediaFormat, parts: [(offset: Int, bytes: [UInt8])])] = [
        (.jpeg, [(0, [0xFF, 0xD8, 0xFF])]), (.png, [(0, [0x89] + "PNG\r\n\u{1A}\n".utf8)]),
        (.gif, [(0, text("GIF8"))]), (.bmp, [(0, text("BM"))]),
        (.webp, [(0, text("RIFF")), (8, text("WEBP"))]), (.wav, [(0, text("RIFF")), (8, text("WAVE"))]),
        (.avi, [(0, text("RIFF")), (8, text("AVI "))]), (.aiff, [(0, text("FORM")), (8, text("AIF"))]),
        (.heif, [(4, text("ftyphei"))]), (.heif, [(4, text("ftyphev"))]), (.heif, [(4, text("ftypmif1"))]),
        (.heif, [(4, text("ftypavif"))]), (.mpeg4, [(4, text("ftyp"))]), (.mp3, [(0, text("ID3"))]),
        (.mpeg, [(0, [0, 0, 1, 0xBA])]), (.mpeg, [(0, [0, 0, 1, 0xB3])]),
    ]

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
