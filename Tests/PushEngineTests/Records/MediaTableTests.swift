import Devices
import PushCore
@testable import PushEngine
import Testing

@Suite struct MediaTableTests {
    @Test(arguments: 1...5) func `the URLs stay in order, whatever is set and removed`(seed: UInt64) {
        var (table, expected): (MediaTable, [String: Int]) = (MediaTable(), [:])
        var random = seed
        for _ in 0..<500 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (url, size) = ("https://example.com/\(random >> 33 % 60)", Int(random >> 40 & 3))
            table[url] = size == 0 ? nil : Media(status: 200, contentType: "", size: size, delay: 0)
            expected[url] = size == 0 ? nil : size
        }
        #expect(expected.count > 20)
        #expect(table.count == expected.count && table.urls.all == expected.keys.sorted())
        for url in table.urls.all { #expect(table[url]?.size == expected[url]) }
    }
}
