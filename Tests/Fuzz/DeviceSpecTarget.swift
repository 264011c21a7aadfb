import JSON
import PushCore
import PushEngine

@testable import Devices

/// A device's spec: its app's configuration, texts, channels, categories and state. It is read or refused with a place
/// and a sentence. A device of an accepted spec is saved and restored unchanged, and what it shows is JSON.
func fuzzDeviceSpec(_ bytes: [UInt8]) {
    guard let root = (try? JSONDocument(parsing: bytes))?.root else { return }
    var spec: DeviceSpec
    do throws(DeviceProblem) { spec = try DeviceSpec(root, at: "/device") } catch {
        demand(error.pointer.hasPrefix("/device"), "a problem at \(error.pointer)")
        return demand(!error.message.isEmpty, "a problem without a sentence")
    }
    spec.platform = spec.platform ?? Device.Platform.allCases[bytes.count % 3]
    spec.app = spec.app ?? "a"
    var registry = DeviceRegistry(capacity: 2)
    var other = DeviceRegistry(capacity: 2)
    var random = Random(seed: 1)
    guard
        let slot = registry.make(spec, in: .production, at: Timestamp(milliseconds: 1_800_000_000_000), using: &random)
    else { return }
    let kept = registry.encoded(slot)
    let isBack = other.restore(kept, content: { _, _ in nil })
    demand(isBack, "not restored: \(String(decoding: kept, as: UTF8.self))")
    guard let restored = other.slot(of: registry.id(at: slot)) else { return demand(false, "under another id") }
    demandSameDevice(other.encoded(restored), kept)
    let (before, after) = (text(registry[slot].phone.spec.app), text(other[restored].phone.spec.app))
    demand(after == before, "the app's configuration was \(before), and is \(after)")
    var json = JSONWriter()
    registry[slot].write(isConnected: true, base: "", to: &json)
    let shown = json.finish()
    guard let shown = try? JSONDocument(parsing: shown) else {
        return demand(false, "no JSON: \(String(decoding: shown, as: UTF8.self))")
    }
    // A client that was shown a device can ask for it again.
    do throws(DeviceProblem) { _ = try DeviceSpec(shown.root, at: "") } catch {
        demand(false, "what is shown is refused: \(error.message)")
    }
}

private func text(_ app: AppConfig) -> String {
    var text = ""
    dump(app, to: &text)
    return text
}

/// The same device, whatever the order of members, which a dictionary decides.
func demandSameDevice(_ device: [UInt8], _ other: [UInt8]) {
    guard device != other else { return }
    let texts = [device, other].map { bytes in (try? JSONDocument(parsing: bytes)).map { sorted($0.root) } ?? "no JSON"
    }
    demand(texts[0] == texts[1], "\(texts[1]) became \(texts[0])")
}

private func sorted(_ value: JSONView) -> String {
    switch value.kind {
    case .array: "[" + value.elements.map(sorted).joined(separator: ",") + "]"
    case .object:
        "{" + value.members.map { "\($0.key.string ?? ""):\(sorted($0.value))" }.sorted().joined(separator: ",") + "}"
    case .null, .bool, .number, .string: String(decoding: value.source, as: UTF8.self)
    }
}
