import HTTPCore
import Testing

@Suite struct RequestTests {
    @Test(arguments: [("GET", Method.get), ("POST", .post), ("get", .other), ("", .other), ("BREW", .other)])
    func `methods are case-sensitive`(text: String, method: Method) {
        let request = Request(version: .http2, headers: HeaderBlock([.method: text]))
        #expect(request.method == method)
    }

    @Test func `each method is read by its name and by nothing else`() {
        for method in Method.allCases where method != .other {
            #expect(Method(Array(method.rawValue.utf8).span) == method)
            for other in [
                method.rawValue.lowercased(), method.rawValue + "S", String(method.rawValue.dropLast()),
                "\0" + method.rawValue,
            ] {
                #expect(Method(Array(other.utf8).span) == (Method(rawValue: other) ?? .other))
            }
        }
        #expect(Method([UInt8]().span) == .other)
    }

    @Test(arguments: [("/v1/x?y=/z", "/v1/x"), ("/v1/x", "/v1/x"), ("?", ""), ("", ""), ("/a?b?c", "/a")])
    func `the path is the target up to the first question mark`(target: String, path: String) {
        let request = Request(version: .http2, headers: HeaderBlock([.path: target]))
        #expect(request.target.elementsEqual(target.utf8))
        #expect(request.path.elementsEqual(path.utf8))
    }

    @Test func `the authority falls back to host, and may be missing`() {
        func authority(_ fields: KeyValuePairs<HeaderName, String>) -> String? {
            Request(version: .http2, headers: HeaderBlock(fields)).authority.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(authority([.host: "h"]) == "h")
        #expect(authority([.host: "h", .authority: "a"]) == "a")
        #expect(authority([:]) == nil)
    }

    @Test func `a response made from text has its content type and its bytes`() {
        let response = Response(status: 400, contentType: "text/plain", text: "ä")
        #expect(response.status == 400)
        #expect(response.headers == HeaderBlock([.contentType: "text/plain"]))
        guard case .bytes([0xC3, 0xA4]) = response.body else { return #expect(Bool(false), "\(response.body)") }
    }

    @Test func `a body budget refuses what exceeds it and takes nothing then`() {
        let budget = BodyBudget(10)
        #expect(budget.take(7))
        #expect(!budget.take(4))
        #expect(budget.take(3))
        #expect(!budget.take(1))
        budget.giveBack(4)
        #expect(budget.take(4))
        #expect(budget.take(0))
    }
}
