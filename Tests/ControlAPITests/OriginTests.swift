import HTTPCore
import JSON
import Testing

@testable import ControlAPI

struct OriginTests {
    private let host = TestHost()

    @Test func `an origin is listed once, as browsers write it`() throws {
        #expect(try host.ask(.get, "/origins") == ["origins": []])
        for (text, status) in [("http://localhost:3000", 201), ("HTTP://LOCALHOST:3000", 200)] {
            #expect(
                try host.ask(.post, "/origins", ["origin": .string(text)], status: status)
                    == ["origin": "http://localhost:3000"])
        }
        #expect(try host.ask(.get, "/origins") == ["origins": ["http://localhost:3000"]])
        try host.ask(.delete, "/origins?origin=http://localhost:3000", status: 204)
        #expect(try host.ask(.get, "/origins") == ["origins": []])
        let gone = try host.problem(.delete, "/origins?origin=http://localhost:3000")
        #expect(gone == .init(status: 404, code: "notFound", pointer: nil))
        for query in ["", "?origin=", "?origin=x"] {
            let problem = try host.problem(.delete, "/origins\(query)")
            #expect(problem == .init(status: 400, code: "badQuery", pointer: nil), "\(query)")
        }
    }

    @Test(arguments: ["localhost:3000", "", "null", "http://", "http://a b", "http://a:99999", "http://a/path"])
    func `what is no origin is refused`(text: String) throws {
        let problem = try host.problem(.post, "/origins", ["origin": .string(text)])
        #expect(problem == .init(status: 400, code: "badField", pointer: "/origin"))
    }

    @Test func `a hundred origins are allowed at most`() throws {
        for port in 1...100 {
            try host.ask(.post, "/origins", ["origin": "http://a:\(port)"], status: 201)
        }
        let problem = try host.problem(.post, "/origins", ["origin": "http://b"])
        #expect(problem == .init(status: 409, code: "tooManyOrigins", pointer: nil))
        try host.ask(.post, "/origins", ["origin": "http://a:7"], status: 200)
    }
}
