import Devices
import PushCore
import Testing

/// What the first bytes of a file show, and what a phone makes of it.
@Suite struct MediaFormatTests {
    static let formats: [(head: [UInt8], format: MediaFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png), (Array("GIF89a".utf8), .gif),
        (Array("GIF87a".utf8), .gif), (Array("BM\u{0}".utf8), .bmp), (Array("RIFF1234WEBPVP8 ".utf8), .webp),
        (Array("RIFF1234WAVEfmt ".utf8), .wav), (Array("RIFF1234AVI LIST".utf8), .avi),
        (Array("FORM1234AIFF".utf8), .aiff), (Array("FORM1234AIFC".utf8), .aiff), (Array("ID3\u{4}".utf8), .mp3),
        ([0xFF, 0xFB, 0x90], .mp3), ([0xFF, 0xF3], .mp3), (Array("1234ftypisom".utf8), .mpeg4),
        (Array("1234ftypM4A ".utf8), .mpeg4), (Array("1234ftypheic".utf8), .heif), (Array("1234ftypavif".utf8), .heif),
        ([0, 0, 1, 0xBA], .mpeg), ([0, 0, 1, 0xB3], .mpeg), (Array("<html>".utf8), .unknown), ([], .unknown),
        ([0xFF], .unknown), ([0xFF, 0xFF], .unknown), (Array("RIFF1234".utf8), .unknown), ([0x89, 0x50], .unknown),
        (Array("<svg>".utf8), .unknown),
    ]

    @Test(arguments: formats) func `the first bytes show the format`(head: [UInt8], format: MediaFormat) {
        #expect(MediaFormat(of: head) == format)
        #expect(MediaFormat(of: Array(head.prefix(MediaFormat.headLength))) == format)
    }

    @Test(
        arguments: [
            ("a.png", .png, "image/png", true), ("a.png", .jpeg, "text/plain", true), ("a.png", .webp, "", true),
            ("a.png", .unknown, "image/png", false), ("a.png", .mp3, "image/png", false),
            ("a.mp3", .mp3, "x/y", true), ("a.mp3", .unknown, "audio/mpeg", true),
            ("a.mp3", .unknown, "text/html", false),
            ("a.m4a", .mpeg4, "", true), ("a.mp4", .mpeg4, "", true), ("a.mp4", .png, "video/mp4", false),
            ("a.mpg", .mpeg, "", true), ("a.avi", .avi, "", true), ("a.wav", .avi, "audio/wav", false),
        ] as [(String, MediaFormat, String, Bool)])
    func `an attachment's content has to fit its name`(name: String, format: MediaFormat, type: String, fits: Bool)
        throws
    {
        var phone = try FetchTests.iphone()
        var media = Media(contentType: type, size: 9)
        media.format = format
        _ = try phone.push(FetchTests.apple.replacing(FetchTests.url, with: "https://e.com/\(name)"))
        let line = phone.handle(.fetched(PushID(1), .received(media)))[0]
        #expect(
            line.hasPrefix(fits ? "attachment ios.attachment url" : "attachment ios.attachment-content url"), "\(line)")
    }

    @Test(arguments: MediaFormat.allCases) func `Android shows what is an image, whatever it is called`(
        format: MediaFormat
    ) throws {
        var phone = try FetchTests.android()
        var media = Media(contentType: "text/plain", size: 9)
        media.format = format
        _ = try phone.push(FetchTests.google)
        let line = phone.handle(.fetched(PushID(1), .received(media)))[0]
        let isImage = [.jpeg, .png, .gif, .webp, .bmp, .heif].contains(format)
        #expect(
            line.hasPrefix(isImage ? "attachment android.image url" : "attachment android.image-failed url"), "\(line)")
        #expect(line.hasSuffix(" status=200 contentType=text/plain size=9"))
    }

    @Test(arguments: [
        (404, 9, true, "Failed to download image: the status is 404"),
        (302, 9, true, "Failed to download image: the status is 302"),
        (200, 1 << 20 + 1, true, "Content-Length exceeds max size of 1048576"),
        (404, 1 << 20 + 1, false, "Image exceeds max size of 1048576"),
    ]) func `Firebase's log names the status or the size`(status: Int, size: Int, announced: Bool, message: String)
        throws
    {
        var phone = try FetchTests.android()
        var media = FetchTests.image
        (media.status, media.size, media.announcesSize) = (status, size, announced)
        _ = try phone.push(FetchTests.google)
        let line = phone.handle(.fetched(PushID(1), .received(media)))[0]
        #expect(line.contains(" message=\(message) status=\(status) contentType=image/png size=\(size)"), "\(line)")
    }
}
