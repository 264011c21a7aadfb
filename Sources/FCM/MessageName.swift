internal import PushCore

/// The last part of an accepted message's name (facts/fcm.md §2.5: seen on each platform).
enum MessageName {
    static func make(
        for target: FCMTarget?, _ message: ProtoView?, isDryRun: Bool, at now: Timestamp, using generator: inout Random
    ) -> String {
        let microseconds = now.milliseconds * 1000 + Int64(generator.next() % 1000)
        guard let target, target.isSingle else { return String(1_000_000_000_000_000_000 + generator.next() % 8_000_000_000_000_000_000) }
        if isDryRun { return "fake_message_id" }
        if message?["apns"] != nil, message?["android"] == nil { return String(microseconds) }
        let half = hex(UInt32(truncatingIfNeeded: generator.next()))
        return "0:\(microseconds)%\(half)" + (message?["notification"] == nil ? "f9fd7ecd" : half)
    }

    private static func hex(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
