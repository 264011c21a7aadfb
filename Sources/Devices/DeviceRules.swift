package import PushCore

/// Every rule about an accepted push on its way to a device and on it, for `pushpit rules` and the documentation.
package enum DeviceRules {
    package static let all: [Rule] = TransitOutcome.rows.map(\.rule) + StorageRule.rows + PhoneRule.rows
}
