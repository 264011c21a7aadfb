import Faults
import PushCore

@testable import PushEngine

/// Faults that are set on purpose.
extension EngineFixture {
    /// The effect of a fault that refuses what it hits.
    static let refusal = #""effect":{"answer":{"status":500,"reason":"InternalServerError"}}"#

    /// Sets a fault as the control API does. Returns its id.
    @discardableResult func fault(_ text: String, seed: UInt64 = 7) throws -> String {
        try engine.faults.add(Self.json(text), at: now, seed: seed).id
    }
}
