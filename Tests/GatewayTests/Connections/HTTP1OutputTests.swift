import TestSupport
import Testing

@testable import Gateway

@Suite struct HTTP1OutputTests {
    /// What is drained in pieces of these lengths, one after the other.
    private func drain(_ output: inout HTTP1Output, by limits: [Int]) -> [UInt8] {
        var all: [UInt8] = []
        for limit in limits {
            let before = all.count
            output.drain(into: &all, upTo: limit)
            #expect(all.count - before <= max(limit, 0))
        }
        return all
    }

    @Test func `any mix of short and long pieces is drained in order`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            var (output, expected, drained) = (HTTP1Output(), [UInt8](), [UInt8]())
            for _ in 0..<20 {
                let piece = (0..<Int.random(in: 0...1000, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
                if Bool.random(using: &generator) {
                    output.tail += piece
                    expected += piece
                } else {
                    let body = [UInt8](repeating: 7, count: Bool.random(using: &generator) ? 100_000 : 10)
                    output.append(body: body)
                    expected += body
                }
                drained += drain(&output, by: [Int.random(in: -5...90_000, using: &generator)])
                #expect(output.count == expected.count - drained.count)
            }
            drained += drain(&output, by: [Int](repeating: 150_000, count: 20))
            #expect(drained == expected && output.isEmpty)
        }
    }

    @Test func `a long body is not copied until it is drained`() {
        let body = [UInt8](repeating: 7, count: 1 << 20)
        var output = HTTP1Output()
        output.tail = [1, 2, 3]
        output.append(body: body)
        let isShared = unsafe body.withUnsafeBufferPointer { body in
            unsafe output.tail.withUnsafeBufferPointer { unsafe $0.baseAddress == body.baseAddress }
        }
        #expect(isShared)
        #expect(drain(&output, by: [4, 1 << 20]) == [1, 2, 3] + body)
    }

    @Test func `without room, nothing is drained`() {
        var output = HTTP1Output()
        output.tail = [1]
        #expect(drain(&output, by: [0, -1]) == [])
        #expect(output.count == 1)
    }
}
