package import Devices
package import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// `GET /media/content`: the bytes from the media table, or a file that the gateway fetches because a push names it.
package final class MediaContent: SlicedCall {
    private let url: String
    private let newest: UInt64
    private var search: MessageSearch?

    /// The content types of the answers.
    static let types = ["image/*", "audio/*", "video/*", unknownType]
    private static let unknownType = "application/octet-stream"
    /// The limit of an iPhone for images.
    private static let longestFile = 10_000_000
    private static let patience: Int64 = 10_000
    /// The search uses only this many characters of a URL, because a filter may have at most 1,000 bytes.
    private static let searchedCharacters = 250

    init(_ call: ControlAPI.Call) throws(ControlProblem) {
        guard let url = call.query.text("url"), 1...ControlAPI.longestURL ~= url.utf8.count else {
            throw QueryReader.bad("'url' must be a URL of 1 to \(ControlAPI.longestURL) bytes.")
        }
        self.url = url
        newest = call.host.box.engine.events.newest
    }

    package func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        do throws(ControlProblem) {
            if let media = host.box.engine.media[url] { return .answer(try Self.response(media, at: url)) }
            guard host.box.engine.fetchesMedia else {
                throw .missing(
                    "The media table has no entry for '\(url.prefix(200))', and this gateway fetches nothing. Set an entry with PUT /media, or start the gateway with --fetch-media=loopback."
                )
            }
            guard let isNamed = try isNamedByPush(host) else { return nil }
            guard isNamed else {
                throw .missing(
                    "The media table has no entry for '\(url.prefix(200))', and no push names it. Only URLs that a push names are fetched."
                )
            }
        } catch { return .answer(error.response) }
        var request = FetchRequest(url: url, patience: Self.patience)
        request.longest = Self.longestFile
        request.allowsHTTP = true
        request.keepsContent = true
        return .deferred(.file(request))
    }

    /// Whether a string in the body of a push is the URL; nil if work is left. Without this check, the API could be used
    /// to fetch anything.
    private func isNamedByPush(_ host: any ControlHost) throws(ControlProblem) -> Bool? {
        guard host.updateJournal(to: newest) else { return nil }
        if search == nil {
            var filter = MessageFilter()
            try filter.add(.text, String(url.prefix(Self.searchedCharacters)))
            search = host.box.engine.search(filter)
        }
        guard var search else { return nil }
        var isNamed = false
        let isDone = host.continueSearch(&search) { message in
            isNamed = message.texts.contains(url)
            return !isNamed
        }
        self.search = search
        return isDone ? isNamed : nil
    }

    /// The answer with a file that was fetched. The API shows only images, sounds and videos, so that it
    /// does not expose other content of this machine.
    package static func response(to result: FetchResult, at url: String) -> Response {
        do throws(ControlProblem) {
            let reason: String
            switch result {
            case .received(let media):
                guard media.size <= longestFile else {
                    throw conflict("'\(url.prefix(200))' has more than \(longestFile) bytes, so it is not shown.")
                }
                guard media.status != 200 || media.format != .unknown else {
                    throw conflict(
                        "The file at '\(url.prefix(200))' is not an image, sound or video, so it is not shown.")
                }
                return try Self.response(media, at: url)
            case .skipped(let message): reason = message ?? "the gateway fetches nothing"
            case .failed(let message): reason = message
            case .timedOut: reason = "there was no complete answer within \(patience / 1000) seconds"
            case .inClearText: reason = "it redirects to http"
            }
            throw conflict(
                "The file at '\(url.prefix(200))' was not fetched: \(reason). Set its content with PUT /media.")
        } catch { return error.response }
    }

    private static func response(_ media: Media, at url: String) throws(ControlProblem) -> Response {
        guard media.status == 200 else {
            throw conflict("A phone gets the status \(media.status) for '\(url.prefix(200))', and no file.")
        }
        guard let content = media.content else {
            throw conflict(
                "The media table has only a size for '\(url.prefix(200))': \(media.size) bytes. Give the bytes to PUT /media as 'base64'."
            )
        }
        var headers = HeaderBlock([.contentType: type(media.contentType)])
        for (name, value) in protection { headers.append(HeaderName(name), value) }
        return Response(status: 200, headers: headers, body: .bytes(content))
    }

    private static func conflict(_ message: String) -> ControlProblem {
        ControlProblem(status: 409, code: "conflict", message: message)
    }

    /// A browser that opens the file as a page runs nothing in it.
    private static let protection = [
        ("content-security-policy", "sandbox; default-src 'none'"), ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    ]

    /// The type and subtype without parameters, if they are those of an image, sound or video.
    private static func type(_ field: String) -> String {
        let text = (field.split(separator: ";").first ?? "").lowercased().filter { $0 != " " }
        let subtype =
            ["image/", "audio/", "video/"].first(where: text.hasPrefix).map { text.dropFirst($0.count) } ?? ""
        return !subtype.isEmpty && subtype.utf8.allSatisfy(isTypeCharacter) ? text : unknownType
    }

    private static func isTypeCharacter(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte || "+-.".utf8.contains(byte)
    }
}
