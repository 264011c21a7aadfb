import Glibc
import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The cost of hostile bodies grows in proportion to their length. The measure is the thread's own CPU time, so that the
/// load of the machine does not count.
@Suite(.serialized) struct FCMCostTests {
    /// Nanoseconds of CPU time that reading the body takes, the least of three runs.
    static func cost(_ body: String) -> Int {
        let bytes = Array(body.utf8)
        return (0..<3).map { _ in
            let start = cpuTime()
            _ = MessageReport(bytes, isStrict: true)
            _ = MessageFile(bytes)
            var json = JSONWriter()
            FCMPayload(bytes)?.writeAndroid(app: "a", to: &json)
            return cpuTime() - start
        }.min() ?? 0
    }

    private static func cpuTime() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    static func repeated(_ count: Int, _ piece: (Int) -> String) -> String {
        (0..<count).map(piece).joined(separator: ",")
    }

    static let bodies: [(name: String, make: @Sendable (Int) -> String)] = [
        ("a map", { #"{"message":{"topic":"t","data":{\#(repeated($0) { "\"k\($0)\":\"v\"" })}}}"# }),
        ("a map of faults", { #"{"message":{"topic":"t","data":{\#(repeated($0) { "\"k\($0)\":\($0)" })}}}"# }),
        ("a repeated key", { #"{"message":{"topic":"t","data":{\#(repeated($0) { _ in "\"k\":\"v\"" })}}}"# }),
        (
            "a repeated field",
            { #"{"message":{\#(repeated($0) { _ in "\"android\":{\"ttl\":\"5s\"}" }),"topic":"t"}}"# }
        ),
        ("unknown names", { #"{"message":{\#(repeated($0) { "\"x\($0)\":1" })}}"# }),
        (
            "a list of faults",
            {
                #"{"message":{"topic":"t","android":{"notification":{"body_loc_args":[\#(repeated($0) { "\($0)" })]}}}}"#
            }
        ),
        (
            "a long string",
            { #"{"message":{"topic":"t","data":{"k":"\#(String(repeating: "x\\n", count: 5 * $0))"}}}"# }
        ),
        ("a condition", { #"{"message":{"condition":"\#(String(repeating: "!(", count: $0))'a' in topics"}}"# }),
        (
            "a payload",
            {
                #"{"message":{"topic":"t","apns":{"payload":{"aps":{"alert":"x"},\#(repeated($0) { "\"k\($0)\":[1]" })}}}}"#
            }
        ),
        ("the legacy format", { #"{"to":"t","data":{\#(repeated($0) { "\"k\($0)\":\($0)" })}}"# }),
    ]

    @Test(arguments: bodies.indices) func `ten times the length is about ten times the cost`(row: Int) {
        let (name, make) = Self.bodies[row]
        let (short, long) = (Self.cost(make(100)), Self.cost(make(1_000)))
        // Quadratic would be a hundred.
        #expect(long < short * 40, "\(name): \(short) became \(long)")
    }

    @Test func `every field is found by both of its names and by no others`() {
        for name in FCMSchema.MessageType.allCases {
            for (index, row) in FCMSchema[name].fields.enumerated() {
                for text in [row.field.snake, row.field.camel] {
                    #expect(FCMSchema.index(of: Array(text.utf8).span, in: name) == index)
                    for wrong in [text + "x", String(text.dropLast()), text.uppercased(), "_" + text] {
                        let found = FCMSchema.index(of: Array(wrong.utf8).span, in: name)
                        #expect(found == nil || FCMSchema[name].fields[found ?? 0].field != row.field, "\(wrong)")
                    }
                }
                #expect(FCMSchema.index(of: row.field, in: name) == index)
            }
            #expect(FCMSchema.index(of: [UInt8]().span, in: name) == nil)
        }
    }
}
