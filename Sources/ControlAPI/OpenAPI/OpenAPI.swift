package import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// The description of the control API, generated from its table of routes: `/openapi.json` for programs, `/docs` for
/// people.
package enum OpenAPI {
    static let documentPath = "/openapi.json"
    static let pagePath = "/docs"

    /// Whether a request target, with or without a query, is `/openapi.json` or `/docs`.
    package static func hasPage(at target: ArraySlice<UInt8>) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return path.elementsEqual(documentPath.utf8) || path.elementsEqual(pagePath.utf8)
    }

    /// Whether a request target, with or without a query, is `/docs`.
    package static func isPageForPeople(_ target: ArraySlice<UInt8>) -> Bool {
        target.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(pagePath.utf8)
    }

    /// The answer for `/openapi.json` and `/docs`; nil for any other path.
    package static func answer(_ request: Request) -> Response? {
        let path = String(decoding: request.path, as: UTF8.self)
        guard path == documentPath || path == pagePath else { return nil }
        guard request.method == .get || request.method == .head else {
            var refusal = ControlProblem(status: 405, code: "wrongMethod", message: "Use GET.").response
            refusal.headers.append(.allow, "GET, HEAD")
            return refusal
        }
        return path == documentPath
            ? .json(document) : Response(status: 200, contentType: "text/html; charset=utf-8", text: page)
    }

    private static let document: [UInt8] = {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("openapi", "3.1.0")
            json.key("info")
            json.object { json in
                json.member("title", "Pushpit control API")
                json.member("version", "1")
                json.member(
                    "description",
                    "Inspect pushes, wait for expected ones, inject faults and control simulated devices.")
            }
            json.key("servers")
            json.array { json in json.object { $0.member("url", ControlAPI.root) } }
            json.key("tags")
            json.array { json in for tag in ControlAPI.tags { json.object { $0.member("name", tag) } } }
            json.key("paths")
            json.object { json in
                for path in paths {
                    json.key(path)
                    json.object { json in
                        for route in ControlAPI.routes where route.path == path { write(route, to: &json) }
                    }
                }
            }
            json.key("components")
            json.object { json in
                json.key("schemas")
                json.object { json in
                    for entry in SchemaBook.all {
                        json.key(entry.name)
                        entry.schema.write(to: &json)
                    }
                }
            }
        }
        return json.finish()
    }()

    /// Each path once, in the order of the table.
    private static var paths: [String] {
        var seen: Set<String> = []
        return ControlAPI.routes.map(\.path).filter { seen.insert($0).inserted }
    }

    private static func write(_ route: ControlAPI.Route, to json: inout JSONWriter) {
        json.key(route.method.rawValue.lowercased())
        json.object { json in
            json.member("operationId", route.operationID)
            json.member("tags", [route.tag])
            json.member("summary", route.summary)
            json.key("parameters")
            json.array { json in
                for name in names(in: route.path) {
                    write(Schema.member(name, .text(1...1000), required: true), in: "path", to: &json)
                }
                for member in route.query where member.name != QueryReader.pointer {
                    write(member, in: "query", to: &json)
                }
            }
            if let body = route.body {
                json.key("requestBody")
                json.object { json in
                    json.member("required", !route.isBodyOptional)
                    writeContent(body, ["application/json"], to: &json)
                }
            }
            json.key("responses")
            json.object { json in
                for answer in route.answers {
                    json.key(String(answer.status))
                    json.object { json in
                        json.member("description", answer.status == 417 ? "The expectation was not met." : "Success.")
                        if let schema = answer.schema { writeContent(schema, route.contentTypes, to: &json) }
                    }
                }
                json.key("4XX")
                json.object { json in
                    json.member("description", "The request was refused; the body says why.")
                    json.key("content")
                    json.object { json in
                        write(.named("Problem"), as: "application/json", to: &json)
                        // Malformed HTTP and an oversized head are refused in plain text, before the path is known.
                        write(.text(), as: "text/plain; charset=utf-8", to: &json)
                    }
                }
                guard let reason = route.unavailability else { return }
                json.key("503")
                json.object { json in
                    json.member("description", reason)
                    writeContent(.named("Problem"), ["application/json"], to: &json)
                }
            }
        }
    }

    /// The names of the path parameters.
    private static func names(in path: String) -> [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    private static func write(_ member: Schema.Member, in location: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("name", member.name)
            json.member("in", location)
            if member.isRequired { json.member("required", true) }
            if let note = member.note { json.member("description", note) }
            json.key("schema")
            member.schema.write(to: &json)
        }
    }

    private static func writeContent(_ schema: Schema, _ types: [String], to json: inout JSONWriter) {
        json.key("content")
        json.object { json in
            for type in types { write(schema, as: type, to: &json) }
        }
    }

    private static func write(_ schema: Schema, as type: String, to json: inout JSONWriter) {
        json.key(type)
        json.object { json in
            json.key("schema")
            schema.write(to: &json)
        }
    }

    private static let page: String = {
        let rows = ControlAPI.routes.map { route in
            let query = route.query.map { "<code>\(escaped($0.name))</code>" }.joined(separator: " ")
            let answers = route.answers.map { String($0.status) }.joined(separator: ", ")
            let body =
                route.body.map { "<details><summary>body</summary><pre>\(escaped(text($0)))</pre></details>" } ?? ""
            return
                "<tr><td><b>\(route.method.rawValue)</b> <code>\(ControlAPI.root)\(escaped(route.path))</code></td><td>\(escaped(route.summary))\(body)</td><td>\(query)</td><td>\(answers)</td></tr>"
        }
        let schemas = SchemaBook.all.map {
            "<details id=\"\($0.name)\"><summary>\($0.name)</summary><pre>\(escaped(text($0.schema)))</pre></details>"
        }
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Pushpit: control API</title>
            <style>body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}td{padding:.3rem .6rem;vertical-align:top;border-top:1px solid #ccc}pre{background:#f4f4f4;padding:.6rem;overflow:auto}</style>
            <h1>Control API</h1>
            <p>Requests and answers are JSON. Errors are <code>{"error":{"code","message","pointer"}}</code>. For programs, this page is also available as OpenAPI: <a href="\(documentPath)">\(documentPath)</a>.</p>
            <table><tr><th>Call</th><th>What it does</th><th>Query</th><th>Statuses</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            <h2>Schemas</h2>
            \(schemas.joined(separator: "\n"))
            </html>

            """
    }()

    private static func text(_ schema: Schema) -> String {
        var json = JSONWriter(.pretty)
        schema.write(to: &json)
        return String(decoding: json.finish(), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : String($0) })
    }
}
