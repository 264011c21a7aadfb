import Testing

@testable import Receivers

/// Which client is forgotten when there is no room for another.
@Suite struct SecondChanceTests {
    @Test func `clients without registrations go first, the oldest before the others`() {
        var chance = SecondChance<Int>()
        for key in 0..<300 { chance.place(key, hasRegistrations: true) }
        for key in 300..<303 { chance.place(key, hasRegistrations: false) }
        chance.place(301, hasRegistrations: true)
        var gone: [Int] = []
        for _ in 0..<4 {
            guard let key = chance.next(isConnected: { $0 == 0 }) else { break }
            gone.append(key)
            chance.remove(key)
        }
        #expect(gone == [300, 302, 1, 2])
    }

    @Test func `a client that is connected stays`() {
        var chance = SecondChance<Int>()
        for key in 0..<250 { chance.place(key, hasRegistrations: key % 2 == 0) }
        #expect(chance.next(isConnected: { $0 < 200 }) == nil, "100 of each kind are looked at")
        #expect(chance.next(isConnected: { $0 < 200 }) == 201)
        #expect(chance.next(isConnected: { _ in true }) == nil)
    }

    @Test func `clients that come and go leave nothing`() {
        var chance = SecondChance<Int>()
        chance.place(-1, hasRegistrations: true)
        for key in 0..<100_000 {
            chance.place(key, hasRegistrations: key % 2 == 0)
            chance.remove(key)
        }
        #expect(chance.entries <= 2 + 100)
        #expect(chance.next(isConnected: { _ in false }) == -1)
    }
}
