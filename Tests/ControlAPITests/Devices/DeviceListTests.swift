import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// The list of devices: its pages and filters.
struct DeviceListTests {
    private let host = TestHost()

    @Test func `many devices are listed page by page`() throws {
        let body = DeviceTests.iPhone.merging(["id": "many", "count": 250])
        let made = try host.ask(.post, "/devices", body, status: 201).at("devices").elements
        try host.makeDevice("android", app: "com.example.droid", ["id": "droid"])
        var (found, cursor, pages): ([JSONValue], String?, Int) = ([], "0", 0)
        while let start = cursor {
            let page = try host.ask(.get, "/devices?limit=100&app=\(TestHost.app)&cursor=\(start)")
            (found, cursor, pages) = (found + page.at("devices").elements, page.at("next").text, pages + 1)
        }
        #expect(pages == 3 && found == made)
    }

    /// Queries, and the devices that they find, in the order of their age.
    static let lists: [(String, String)] = [
        ("", "acde"), ("app=x", "ac"), ("app=q", "cd"), ("app=z", ""), ("platform=ios", "e"),
        ("platform=web&limit=3&app=x", "ac"),
        ("limit=2", "ac"), ("limit=2&cursor=3", "cd"), ("limit=1000&cursor=5", "e"), ("cursor=6", ""),
        ("text=A", "a"), ("text=e", "e"), ("text=X", "ac"), ("text=none", ""), ("text=v&platform=ios", "e"),
    ]

    @Test(arguments: lists)
    func `a filtered list of devices begins with the oldest`(_ query: String, _ expected: String) throws {
        let specs = [("a", "x", "p"), ("b", "x", "q"), ("c", "x", "q"), ("d", "y", "q")]
        for (id, app, project) in specs {
            try host.makeDevice("web", app: app, ["id": .string(id), "project": .string(project)])
        }
        // Its slot is used again, but the new device is the youngest.
        try host.ask(.delete, "/devices/b", status: 204)
        try host.makeDevice("ios", app: "v", ["id": "e"])
        let page = try host.ask(.get, "/devices?\(query)")
        #expect(page.at("devices").elements.compactMap { $0.at("id").text }.joined() == expected)
        let isWhole = !query.contains("limit=2")
        #expect((page.at("next") == .null) == isWhole, "\(page.at("next"))")
    }

    @Test(arguments: ["platform=palm", "platform=", "name=a"])
    func `a bad list is refused`(_ query: String) throws {
        #expect(try host.problem(.get, "/devices?\(query)") == .init(status: 400, code: "badQuery", pointer: nil))
    }
}
