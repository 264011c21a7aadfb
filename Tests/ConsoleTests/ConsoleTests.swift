import Compression
import HTTPCore
import Testing

@testable import Console

@Suite struct ConsoleTests {
    private func get(_ path: String, _ fields: [(String, String)] = [("accept-encoding", "gzip, br")]) -> Response? {
        var headers = HeaderBlock([.method: "GET", .path: path])
        for (name, value) in fields { headers.append(HeaderName(name), value) }
        return Console.answer(Request(version: .http11, headers: headers))
    }

    private func field(_ name: String, of response: Response?) -> String? {
        response?.headers.first(HeaderName(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ response: Response?) throws -> String {
        guard case .bytes(let bytes) = response?.body else { return "" }
        let isCompressed = response?.headers.first(.contentEncoding) != nil
        return String(decoding: isCompressed ? try Gzip.decompress(bytes, limit: 1 << 20) : bytes, as: UTF8.self)
    }

    @Test func `the page names its files, and each of them is served`() throws {
        let page = try text(get("/"))
        let names = page.split(separator: "\"").filter { $0.hasPrefix("console/") }
        #expect(names.count >= 3)
        for name in names {
            let file = get("/\(name)")
            #expect(file?.status == 200, "\(name)")
            #expect(try !text(file).isEmpty, "\(name)")
            #expect(field("cache-control", of: file)?.contains("immutable") == true)
        }
        #expect(!page.contains("{{"))
    }

    @Test func `a client without gzip gets the same text`() throws {
        #expect(try text(get("/")) == text(get("/", [])))
        #expect(get("/", [])?.headers.first(.contentEncoding) == nil)
        #expect(get("/", [])?.isConstant == true)
        #expect(get("/", [("accept-encoding", "gzip;q=0")])?.headers.first(.contentEncoding) == nil)
    }

    @Test func `the page is checked for changes, and not sent again without one`() throws {
        let tag = try #require(field("etag", of: get("/")))
        #expect(field("cache-control", of: get("/")) == "no-cache")
        for same in [tag, "*", "\"other\", \(tag)", "\(tag) ,\"x\"", String(tag.dropFirst(2))] {
            #expect(get("/", [("if-none-match", same)])?.status == 304, "\(same)")
        }
        for other in ["\"other\"", "", ",", "\(tag)x"] {
            #expect(get("/", [("if-none-match", other)])?.status == 200, "\(other)")
        }
    }

    @Test(arguments: ["/console/", "/console/0-0/js/main.js", "/index.html", "/console/\(ConsoleFiles.version)/../x"])
    func `other paths have no file`(path: String) { #expect(get(path) == nil) }

    @Test func `no file runs scripts inline or loads anything from elsewhere`() throws {
        let policy = try #require(field("content-security-policy", of: get("/")))
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        for (name, file) in ConsoleFiles.all where !name.hasSuffix(".svg") {
            let contents = String(decoding: file.plain, as: UTF8.self)
            for word in Self.dangerous {
                #expect(!contents.contains(word), "\(name) has \(word)")
            }
        }
    }

    private static let dangerous = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style=\"", " onclick=",
    ]

    @Test func `everything fits in 200 KB`() {
        #expect(ConsoleFiles.all.values.reduce(0) { $0 + $1.compressed.count } < 200_000)
    }
}
