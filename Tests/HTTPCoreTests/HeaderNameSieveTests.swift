import HTTPCore
import Testing

@Suite struct HeaderNameSieveTests {
    private let sieve = HeaderNameSieve([HeaderName("origin"), HeaderName("sec-fetch-site")])

    @Test(arguments: ["origin", "sec-fetch-site"]) func `a block with one of the names is found`(name: String) {
        for index in 0...3 {
            var block = HeaderBlock()
            for other in 0..<3 {
                if other == index { block.append(HeaderName(name), "x") }
                block.append(HeaderName("x-\(other)"), "origin")
            }
            if index == 3 { block.append(HeaderName(name), "") }
            #expect(sieve.mayFind(in: block), "at \(index)")
        }
    }

    @Test func `the fields of a push are not mistaken for one`() {
        let names = [
            ":method", ":path", ":scheme", ":authority", "host", "authorization", "apns-topic", "apns-push-type",
            "apns-id", "apns-priority", "apns-expiration", "apns-collapse-id", "content-type", "content-length",
            "user-agent", "accept", "accept-encoding", "accept-language", "connection", "te", "x-goog-api-client",
            "x-goog-user-project", "access_token_auth", "originx", "sec-fetch-sit", "",
        ]
        for name in names { #expect(!sieve.mayFind(in: HeaderBlock([HeaderName(name): "origin"])), "\(name)") }
        #expect(!sieve.mayFind(in: HeaderBlock()))
    }

    @Test func `one name is enough`() {
        let one = HeaderNameSieve([HeaderName("origin")])
        #expect(one.mayFind(in: HeaderBlock([HeaderName("origin"): ""])))
        #expect(!one.mayFind(in: HeaderBlock([HeaderName("cookie"): ""])))
    }
}
