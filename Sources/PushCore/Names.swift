package import JSON

/// The service whose API a push was sent to.
package enum Provider: String, Sendable, CaseIterable {
    case apns, fcm
    /// A push service for browsers, such as Google's or Mozilla's (RFC 8030).
    case webpush
}

/// One of Apple's two environments. Tokens and channels of one are unknown in the other.
package enum PushEnvironment: String, Sendable, CaseIterable { case production, sandbox }

/// The id of a push: `p1`, `p2`, …
package struct PushID: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }

    /// Reads an id such as `p12`; nil if the text is not one.
    package init?(parsing text: String) {
        guard text.hasPrefix("p"), text.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = UInt64(text.dropFirst())
        else { return nil }
        self.number = number
    }

    package var description: String { "p\(number)" }
}

/// The id of a device, chosen by its client or generated.
package struct DeviceID: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    package init(_ text: String) { description = text }

    /// The number in an id that the gateway makes, such as `d12`; 0 for other ids.
    package var number: Int {
        guard description.hasPrefix("d"), let number = Int(description.dropFirst()), 1..<1 << 53 ~= number else {
            return 0
        }
        return number
    }
}

/// The id of a rule, such as `apns.BadDeviceToken`. `pushpit rules` and docs/rules.md explain each.
package struct RuleID: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    package init(_ text: String) { description = text }
}

extension PushID: JSONWritable {
    package func write(to json: inout JSONWriter) { json.plain(Decimal.maximumDigits + 1) { write(to: &$0) } }

    package func write(to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "p"))
        Decimal.append(number, to: &output)
    }
}

extension JSONWriter {
    package mutating func member(_ key: String, _ value: PushID) {
        member(key, plain: Decimal.maximumDigits + 1) { value.write(to: &$0) }
    }
}
