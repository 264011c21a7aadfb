internal import Compression
internal import PushCore

/// The files of Sources/Console/Web, which scripts/console.sh puts into the program.
enum ConsoleFiles {
    struct File {
        let contentType: String
        let compressed: [UInt8]

        /// For the few clients that do not accept gzip.
        var plain: [UInt8] { (try? Gzip.decompress(compressed, limit: 1 << 20)) ?? [] }
    }

    /// By their paths below Sources/Console/Web. They are decoded when the console is first opened.
    static let all: [String: File] = {
        let files = contents.map { path, gzip in
            (path, File(contentType: contentType(of: path), compressed: Base64URL.decode(gzip.utf8) ?? []))
        }
        return Dictionary(files) { first, _ in first }
    }()

    /// The page without compression. It is kept, because test tools for HTTP ask for it many times at once.
    static let plainPage = all["index.html"]?.plain ?? []

    /// A weak entity tag, which changes with the contents: it is the same for a compressed answer.
    static let tag = "W/\"\(version)\""

    /// The file that a URL's path names; nil if the path is not of this version.
    static func name(at path: String) -> String? {
        let prefix = "/console/\(version)/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    private static func contentType(of path: String) -> String {
        let ending = path.split(separator: ".").last ?? ""
        return types.first(where: { $0.ending == ending })?.type ?? "application/octet-stream"
    }

    private static let types: [(ending: String, type: String)] = [
        ("html", "text/html; charset=utf-8"), ("css", "text/css; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"), ("svg", "image/svg+xml"),
    ]
}
