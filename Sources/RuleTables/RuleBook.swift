internal import APNs
internal import Devices
internal import FCM
internal import Faults
package import PushCore
internal import Receivers

/// Every rule, for `pushpit rules`, `GET /api/v1/rules` and docs/rules.md.
package enum RuleBook {
    package static let all: [Rule] =
        APNsRules.all + FCMRules.all + DeviceRules.all + FaultRules.all + ReceiverRules.all
        + GatewayRules.all

    /// The row with this id; nil if unknown.
    package static func rule(_ id: String) -> Rule? { all.first { $0.id.description == id } }
}
