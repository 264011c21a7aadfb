import PushCore
import Testing

/// A memo answers for its last key only.
struct MemoTests {
    @Test func `bytes find the value of the last key`() {
        var memo = Memo("none", for: [UInt8]())
        func found(_ key: [UInt8]) -> String? { memo.has(key.span) ? memo.value : nil }
        #expect(found([]) == "none" && found([1]) == nil)
        memo.remember("one", for: ([1, 2] as [UInt8]).span)
        #expect(found([1, 2]) == "one")
        for other in [[], [1], [1, 3], [1, 2, 3]] as [[UInt8]] { #expect(found(other) == nil) }
        memo.remember("two", for: [1])
        #expect(found([1]) == "two" && found([1, 2]) == nil)
    }

    @Test func `any comparable key finds the value of the last key`() {
        var memo = Memo(1, for: "a")
        #expect(memo.has("a") && !memo.has("b") && memo.value == 1)
        memo.remember(2, for: "b")
        #expect(memo.has("b") && !memo.has("a") && memo.value == 2)
    }
}
