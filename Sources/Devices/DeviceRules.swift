package import PushCore

/// All rules about accepted pushes, on the way to a device and on the device, for `pushpit rules` and the
/// documentation.
package enum DeviceRules {
    package static let all: [Rule] = TransitOutcome.rows.map(\.rule) + DropRule.rows + PhoneRule.rows
}
