import HTTPCore
import Testing

@Suite struct HeaderBlockTests {
    @Test func `fields keep their order and the first of a name is found`() {
        let block = HeaderBlock([.path: "/3/device/00?x=1", .host: "a", .host: "b"])
        #expect(block.count == 3)
        #expect(block.first(.host)?.elementsEqual("a".utf8) == true)
        #expect(block.count(of: .host) == 2)
        #expect(block.first(.authority) == nil)
        #expect(block.listSize == 5 + 16 + 4 + 1 + 4 + 1 + 3 * 32)
    }

    @Test(arguments: [("GET", Method.get), ("POST", .post), ("get", .other), ("", .other), ("BREW", .other)])
    func `methods are case-sensitive`(text: String, method: Method) {
        let request = Request(version: .http2, headers: HeaderBlock([.method: text]))
        #expect(request.method == method)
    }

    @Test func `the path ends at the query and the authority falls back to host`() {
        let request = Request(version: .http2, headers: HeaderBlock([.path: "/v1/x?y=/z", .host: "h"]))
        #expect(request.path.elementsEqual("/v1/x".utf8))
        #expect(request.authority?.elementsEqual("h".utf8) == true)
    }
}

@Suite struct MethodTests {
    @Test func `each method is read by its name and by nothing else`() {
        for method in Method.allCases where method != .other {
            #expect(Method(Array(method.rawValue.utf8).span) == method)
            for other in [
                method.rawValue.lowercased(), method.rawValue + "S", String(method.rawValue.dropLast()),
                "\0" + method.rawValue,
            ] {
                #expect(Method(Array(other.utf8).span) == (other == "PO" ? .other : Method(rawValue: other) ?? .other))
            }
        }
        #expect(Method([UInt8]().span) == .other)
    }
}
