import HTTPCore
import Testing

@testable import HTTP2

/// nghttp2's decoder reads the encoder's blocks, in a client that changes the size of its table.
@Suite struct FieldEncoderTests {
    private static func answer(_ number: Int) -> Response {
        let texts = ["application/json", "application/json; charset=UTF-8", "", String(repeating: "é", count: 40)]
        var headers = HeaderBlock([
            .contentType: texts[number % 4], HeaderName("vary"): "Origin", HeaderName("vary"): "X-Origin",
        ])
        if number % 3 == 0 { headers.append(.date, "Sat, 21 Nov 2026 10:00:\(10 + number % 40) GMT") }
        if number % 5 == 0 { headers.append(HeaderName("apns-id"), "id-\(number)") }
        if number % 7 == 0 {
            headers.append(HeaderName("x-new-\(number)"), String(repeating: "v", count: number * 17 % 5000))
        }
        return Response(status: [200, 201, 400, 410, 500, 503][number % 6], headers: headers)
    }

    @Test(arguments: [[4096], [0], [64, 4096], [0, 4096, 100], [65_536], [33, 0, 200, 4096]] as [[UInt32]])
    func `nghttp2 decodes every answer, whatever table size the client uses`(sizes: [UInt32]) throws {
        let pair = Pair()
        _ = try pair.settle()
        for number in 0..<200 {
            // Several sizes at once, in one frame or in one each: the encoder must announce the lowest and the newest.
            if number % 50 == 25 {
                let rotated = sizes.indices.map { sizes[($0 + number / 50) % sizes.count] }
                if number % 100 == 25 {
                    pair.client.advertise(headerTableSizes: rotated)
                } else {
                    for size in rotated { pair.client.advertise(headerTableSizes: [size]) }
                }
            }
            let id = pair.client.send(Pair.post(), body: [])
            _ = try pair.settle()
            let expected = Self.answer(number)
            pair.server.respond(expected, on: id)
            _ = try pair.settle()
            let answer = try #require(pair.client.takeAnswer(to: id), "answer \(number)")
            #expect(answer.status == expected.status)
            #expect(
                answer.headers.dropFirst().map { [Array($0.name), Array($0.value)] }
                    == expected.headers.map { [Array($0.name), Array($0.value)] })
        }
    }

    @Test func `a field larger than the client's table is sent as a literal each time`() throws {
        let pair = Pair()
        pair.client.advertise(headerTableSizes: [40])
        for _ in 0..<3 {
            let id = pair.client.send(Pair.post(), body: [])
            _ = try pair.settle()
            pair.server.respond(
                Response(status: 200, headers: HeaderBlock([HeaderName("x-large"): "0123456789"])), on: id)
            _ = try pair.settle()
            #expect(
                pair.client.takeAnswer(to: id)?.headers.first(HeaderName("x-large"))?.elementsEqual("0123456789".utf8)
                    == true)
        }
    }

    @Test func `a stream can be answered only once`() throws {
        let pair = Pair()
        let id = pair.client.send(Pair.post(), body: [])
        _ = try pair.settle()
        #expect(pair.server.respond(Response(status: 200, body: .stream), on: id))
        #expect(!pair.server.respond(Response(status: 400), on: id))
        _ = try pair.settle()
        #expect(!pair.server.respond(Response(status: 400), on: id))
        pair.server.finish(id)
        _ = try pair.settle()
        #expect(pair.client.takeAnswer(to: id)?.status == 200)
    }

    @Test(arguments: [10, 16_300, 16_384, 40_000, 60_000])
    func `a block larger than a frame is continued in CONTINUATION frames`(count: Int) throws {
        let pair = Pair()
        let id = pair.client.send(Pair.post(), body: [])
        _ = try pair.settle()
        pair.server.respond(
            Response(status: 200, headers: HeaderBlock([HeaderName("x-long"): String(repeating: "x", count: count)])),
            on: id)
        _ = try pair.settle()
        #expect(pair.client.takeAnswer(to: id)?.headers.first(HeaderName("x-long"))?.count == count)
    }

    @Test func `a field that was sent before takes one byte`() {
        var encoder = FieldEncoder()
        let headers = HeaderBlock([
            .contentType: "application/json", HeaderName("x-one"): "1", HeaderName("x-two"): "2",
        ])
        let sizes = (0..<3).map { _ in
            var output: [UInt8] = []
            encoder.encode(status: 200, headers, into: &output)
            return output.count
        }
        #expect(sizes[0] > 30)
        #expect(sizes[1...] == [4, 4])
    }

    @Test func `unique values are not added to the table`() {
        var encoder = FieldEncoder()
        func size(_ headers: HeaderBlock) -> Int {
            var output: [UInt8] = []
            encoder.encode(status: 200, headers, into: &output)
            return output.count
        }
        let shared = HeaderBlock([HeaderName("x-one"): "1"])
        _ = size(shared)
        for number in 0..<200 {
            _ = size(HeaderBlock([HeaderName("apns-id"): "id-\(number)-\(String(repeating: "x", count: 36))"]))
        }
        #expect(size(shared) == 2)
    }
}
