import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// The description of the API for programs and for people. That every answer of the other tests matches it is checked
/// by `TestHost.reply`.
struct OpenAPITests {
    private static func get(_ path: String, _ method: Method = .get) -> TestHost.Answer? {
        OpenAPI.answer(TestHost.request(method, path, [], [])).map { TestHost.Answer($0) }
    }

    private static func document() throws -> JSONValue {
        guard let answer = get("/openapi.json") else { throw Unexpected("there is no document") }
        return try answer.json()
    }

    /// All values below one, with their places.
    private static func walk(_ value: JSONValue, _ place: String, _ visit: (String, JSONValue) -> Void) {
        visit(place, value)
        for (key, member) in value.members { walk(member, "\(place)/\(key)", visit) }
        for (index, element) in value.elements.enumerated() { walk(element, "\(place)/\(index)", visit) }
    }

    @Test func `the document and the page are served for GET and HEAD`() throws {
        let rows: [(Method, String, Int?, String?)] = [
            (.get, "/openapi.json", 200, "application/json"), (.head, "/openapi.json", 200, "application/json"),
            (.get, "/openapi.json?x=1", 200, "application/json"), (.get, "/docs", 200, "text/html; charset=utf-8"),
            (.head, "/docs", 200, "text/html; charset=utf-8"), (.post, "/docs", 405, "application/json"),
            (.delete, "/openapi.json", 405, "application/json"), (.get, "/", nil, nil), (.get, "/docs/", nil, nil),
            (.get, "/openapi.yaml", nil, nil),
        ]
        for (method, path, status, type) in rows {
            let answer = Self.get(path, method)
            #expect(answer?.status == status && answer?.contentType == type, "\(method) \(path)")
            if status == 405 {
                #expect(answer?.header("allow") == "GET, HEAD")
                let problem = try #require(try answer?.json())
                #expect(
                    Schema.named("Problem").mismatch(problem) == nil && problem.at("error", "code") == "wrongMethod")
            }
        }
    }

    @Test func `the document has every route and no other`() throws {
        let document = try Self.document()
        #expect(document.at("openapi") == "3.1.0" && document.at("servers") == [["url": "/api/v1"]])
        let described = document.at("paths").members.flatMap { path, item in
            item.members.map { "\($0.key.uppercased()) \(path)" }
        }
        #expect(Set(described) == Set(ControlAPI.routes.map { "\($0.method.rawValue) \($0.path)" }))
        #expect(described.count == ControlAPI.routes.count)
        for route in ControlAPI.routes {
            let operation = document.at("paths", .key(route.path), .key(route.method.rawValue.lowercased()))
            #expect(operation.at("summary").text?.hasSuffix(".") == true, "\(route.path)")
            let changes = route.method != .get && !route.path.hasPrefix("/check/") && route.path != "/inspect"
            let statuses = route.answers.map { "\($0.status)" } + ["4XX"] + (changes ? ["503"] : [])
            #expect(operation.at("responses").keys == Set(statuses), "\(route.path)")
            #expect((operation["requestBody"] == nil) == (route.body == nil), "\(route.path)")
            if route.body != nil { #expect(operation.at("requestBody", "required") == .bool(!route.isBodyOptional)) }
            let parameters = operation.at("parameters").elements
            let inPath = parameters.filter { $0.at("in") == "path" }.compactMap { $0.at("name").text }
            #expect(
                inPath
                    == route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                        String($0.dropFirst().dropLast())
                    })
            #expect(parameters.filter { $0.at("in") == "path" }.allSatisfy { $0.at("required") == true })
            let inQuery = parameters.filter { $0.at("in") == "query" }.compactMap { $0.at("name").text }
            #expect(inQuery == route.query.map(\.name).filter { !$0.hasPrefix("/") })
            for answer in route.answers {
                let content = operation.at("responses", "\(answer.status)", "content")
                #expect(content.keys == (answer.schema == nil ? [] : Set(route.contentTypes)), "\(route.path)")
            }
        }
    }

    @Test func `every reference leads to a schema, and every schema is referred to`() throws {
        let document = try Self.document()
        var used: Set<String> = []
        Self.walk(document, "") { place, value in
            guard let reference = value["$ref"] else { return }
            let name = reference.text.map { String($0.dropFirst("#/components/schemas/".count)) } ?? ""
            #expect(reference.text == "#/components/schemas/\(name)", "\(place)")
            #expect(document.at("components", "schemas", .key(name)) != .null, "\(place): \(name)")
            used.insert(name)
        }
        #expect(used == document.at("components", "schemas").keys)
        #expect(SchemaBook.all.count == used.count)
    }

    @Test func `every object names its required members among its properties`() throws {
        var objects = 0
        Self.walk(try Self.document(), "") { place, value in
            guard value["type"] == "object", let properties = value["properties"] else { return }
            objects += 1
            let required = (value["required"] ?? []).elements.compactMap(\.text)
            #expect(Set(required).isSubset(of: properties.keys) && Set(required).count == required.count, "\(place)")
            #expect(value.at("additionalProperties") == false, "\(place)")
        }
        #expect(objects > 40)
    }

    /// The words of JSON Schema and the sizes that a schema is written with.
    static let written: [(Schema, JSONValue)] = [
        (.text(), ["type": "string"]), (.text(1...9), ["type": "string", "minLength": 1, "maxLength": 9]),
        (.words(["a", "b"]), ["type": "string", "enum": ["a", "b"]]),
        (.integer(0...9), ["type": "integer", "minimum": 0, "maximum": 9]),
        (.integer(0...Int.max), ["type": "integer", "minimum": 0]),
        (.number(0...1), ["type": "number", "minimum": 0, "maximum": 1]),
        (.boolean, ["type": "boolean"]), (.pattern("^a$"), ["type": "string", "pattern": "^a$"]),
        (.duration, ["type": "string", "pattern": "^[0-9]{1,9}(ms|s|m|h)$"]),
        (.time, ["type": "string", "format": "date-time"]),
        (.anything, [:]), (.list(.boolean), ["type": "array", "items": ["type": "boolean"]]),
        (.map(.boolean), ["type": "object", "additionalProperties": ["type": "boolean"]]),
        (.anyOf([.boolean, .time]), ["anyOf": [["type": "boolean"], ["type": "string", "format": "date-time"]]]),
        (
            .choice([Schema.member("a", .boolean)]),
            [
                "type": "object", "properties": ["a": ["type": "boolean"]], "additionalProperties": false,
                "minProperties": 1, "maxProperties": 1,
            ]
        ),
        (.nullable(.boolean), ["anyOf": [["type": "boolean"], ["type": "null"]]]),
        (.named("Clock"), ["$ref": "#/components/schemas/Clock"]),
        (
            .object([
                Schema.member("a", .boolean, required: true, "Note."), Schema.member("b", .boolean),
                Schema.notNull(Schema.member("c", .boolean)),
            ]),
            [
                "type": "object", "required": ["a"], "additionalProperties": false,
                "properties": [
                    "a": ["type": "boolean", "description": "Note."],
                    "b": ["anyOf": [["type": "boolean"], ["type": "null"]]],
                    "c": ["type": "boolean"],
                ],
            ]
        ),
    ]

    @Test(arguments: written.indices)
    func `a schema uses only keywords of JSON Schema`(_ index: Int) throws {
        var json = JSONWriter()
        Self.written[index].0.write(to: &json)
        #expect(try JSONValue(parsing: json.finish()) == Self.written[index].1)
    }

    @Test func `the page for people has every route and shape, escaped`() throws {
        let page = try #require(Self.get("/docs")).text
        for route in ControlAPI.routes {
            #expect(page.contains("<b>\(route.method.rawValue)</b> <code>/api/v1\(route.path)</code>"), "\(route.path)")
        }
        for shape in SchemaBook.all { #expect(page.contains("<details id=\"\(shape.name)\">"), "\(shape.name)") }
        #expect(page.hasPrefix("<!doctype html>") && page.contains("href=\"/openapi.json\""))
    }
}
