internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let mediaRoutes: [Route] = [
        Route(
            .put, "/media", "Set what a simulated phone gets when it fetches a URL.",
            body: .object([
                Schema.member("url", .text(1...longestURL), required: true),
                Schema.member("contentType", .text(0...256)),
                Schema.member("status", .integer(PushEngine.mediaStatuses)),
                Schema.member("size", .integer(PushEngine.mediaSizes)), Schema.member("base64", .text()),
                Schema.member("delay", .duration),
            ]), answers: [(204, nil)], handle: putMedia),
        Route(
            .get, "/media", "List the URLs that have content.", query: [.limit, .cursor],
            answers: [(200, .page("media", .named("Media")))], handle: listMedia),
        Route(
            .delete, "/media", "Delete the content of one URL, or of all.", query: [Schema.member("url", .text())],
            answers: [(204, nil)],
            handle: deleteMedia),
        Route(
            .get, "/media/content", "Show the bytes that a phone gets for a URL.",
            query: [Schema.member("url", .text(1...longestURL), required: true)], answers: [(200, .anything)],
            contentTypes: MediaContent.types,
            reply: { (call) throws(ControlProblem) in .deferred(.query(try MediaContent(call))) }),
    ]

    private static let mediaCapacity = 10_000
    static let longestURL = 2048

    private static func putMedia(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let url = try fields.string("url")
        let type = try fields.string("contentType")
        let status = try fields.int("status", PushEngine.mediaStatuses)
        let size = try fields.int("size", PushEngine.mediaSizes)
        let base64 = try fields.string("base64")
        let delay = try fields.duration("delay")
        try fields.end()
        guard delay ?? 0 <= PushEngine.longestMediaDelay else { throw fields.problem("delay", "must be at most 720h") }
        guard let url, 1...longestURL ~= url.utf8.count else {
            throw fields.problem("url", "must be a URL of 1 to \(longestURL) bytes")
        }
        guard type?.utf8.count ?? 0 <= 256 else { throw fields.problem("contentType", "must have at most 256 bytes") }
        if size != nil, base64 != nil { throw fields.problem("base64", "cannot be combined with 'size'") }
        let content = base64.flatMap(bytes(ofBase64:))
        if base64 != nil, content == nil { throw fields.problem("base64", "must be valid base64") }
        guard call.host.box.engine.media[url] != nil || call.host.box.engine.media.count < mediaCapacity else {
            throw ControlProblem(
                status: 409, code: "conflict", message: "There are already \(mediaCapacity) URLs, which is the limit.")
        }
        guard call.host.box.engine.hasRoom(for: content ?? [], at: url) else {
            throw ControlProblem(
                status: 409, code: "conflict",
                message:
                    "The contents of all URLs may have at most \(MediaTable.byteCapacity) bytes together. Delete some, or give 'size' instead of 'base64'."
            )
        }
        var media = Media(
            status: status ?? 200, contentType: type ?? (content == nil ? Media.usualType(of: url) : Media.unknownType),
            size: size ?? content?.count ?? 0,
            delay: Int64(delay ?? 0))
        media.content = content
        // An error status without content or size stands for an error page, which is not an image.
        media.format =
            content.map { MediaFormat(of: Array($0.prefix(MediaFormat.headLength))) }
            ?? (size == nil && !(200..<300 ~= media.status) ? .unknown : nil)
        call.host.box.engine.setMedia(media, for: url)
        return Response(status: 204)
    }

    private static func listMedia(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let media = call.host.box.engine.media
        return .json { json in
            json.key("media")
            json.array { json in
                for url in page.keys(of: media.urls) {
                    guard let media = media[url] else { continue }
                    json.object { json in
                        json.member("url", url)
                        json.member("contentType", media.contentType)
                        json.member("status", media.status)
                        json.member("size", media.size)
                        json.member("delay", DurationText.text(UInt64(media.delay)))
                    }
                }
            }
            json.member("next", page.next(of: media.count))
        }
    }

    private static func deleteMedia(_ call: Call) throws(ControlProblem) -> Response {
        guard let url = call.query.text("url") else {
            call.host.box.engine.removeAllMedia()
            return Response(status: 204)
        }
        guard call.host.box.engine.removeMedia(for: url) else {
            throw .missing("The URL '\(url.prefix(200))' has no content.")
        }
        return Response(status: 204)
    }

    /// Nil if the text is not valid base64 with its padding.
    private static func bytes(ofBase64 text: String) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.dropFirst(digits.count)
        let isGood =
            text.utf8.count % 4 == 0 && padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
            && digits.allSatisfy(isDigit)
        return isGood ? Base64URL.decodeAny(text.utf8) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39,
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
