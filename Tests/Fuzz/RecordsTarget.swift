import APNs
import Devices
import HTTPCore
import PushCore

@testable import Faults
@testable import PushEngine

/// Rows of a `--data` file: for each a byte of its table, one of the length of its key, two of the length of its bytes,
/// then both. Each record is read or refused, and what was read is written as it can be read again. An engine with
/// these rows is refused, or works and saves what another engine can be restored from.
func fuzzRecords(_ input: [UInt8]) {
    var snapshot = EngineSnapshot()
    var rest = input[...]
    while rest.count >= 4 {
        let head = Array(rest.prefix(4)).map(Int.init)
        rest = rest.dropFirst(4)
        let key = String(decoding: rest.prefix(head[1]), as: UTF8.self)
        rest = rest.dropFirst(head[1])
        let bytes = Array(rest.prefix(head[2] << 8 | head[3]))
        rest = rest.dropFirst(bytes.count)
        switch head[0] % 16 {
        case 15: snapshot.devices.append(bytes)
        case 14: snapshot.events.append(bytes)
        case 13: snapshot.tracking.append((key, bytes))
        case 12:
            snapshot.counters[key] = Int64(
                bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        case let place:
            let kind = RecordKind.allCases[place % RecordKind.allCases.count]
            demandSameWhenReadAgain(kind, bytes)
            // The table has each key once.
            snapshot.records.removeAll { $0.kind == kind.rawValue && $0.key == key }
            snapshot.records.append((kind.rawValue, key, bytes))
        }
    }
    demandRestored(snapshot)
}

private func demandSameWhenReadAgain(_ kind: RecordKind, _ bytes: [UInt8]) {
    guard let once = written(kind, bytes) else { return }
    let twice = written(kind, once)
    demand(twice == once, "a \(kind.rawValue) record of \(once) is written again as \(twice ?? [])")
}

/// A record as it is written after it was read. Nil if it is refused.
private func written(_ kind: RecordKind, _ bytes: [UInt8]) -> [UInt8]? {
    func again<Value: SavedValue>(_: Value.Type) -> [UInt8]? {
        var reader = PushCore.ByteReader(bytes)
        guard let value = try? Value(from: &reader), reader.isAtEnd else { return nil }
        return value.savedBytes
    }
    return switch kind {
    case .channel: again(ChannelRegistry.Channel.self)
    case .fault: again(Fault.self)
    case .faultCount, .latePushProgress: again(UInt64.self)
    case .media: again(Media.self)
    case .apnsKey: again(AddedCredentials.Key.self)
    case .serviceAccount: again(AddedCredentials.Account.self)
    case .clock: again(ClockSetting.self)
    case .latePush: again(SavedLatePush.self)
    // The target saved-receivers reads these.
    case .receiver: bytes
    }
}

/// What an engine would write if all of it had changed.
private struct SavedRows {
    let devices: [[UInt8]]
    let records: [String: [UInt8]]
    let events: [[UInt8]]
    let counters: [String: Int64]

    init(_ engine: inout PushEngine, _ keys: [(kind: String, key: String)]) {
        var devices: [[UInt8]] = []
        for slot in engine.devices.oldestFirst { devices.append(engine.devices.encoded(slot)) }
        self.devices = devices
        engine.markUnsaved(records: keys)
        records = Dictionary(
            uniqueKeysWithValues: engine.takeUnsavedRecords().compactMap { row in
                row.bytes.map { ("\(row.kind) \(row.key)", $0) }
            })
        events = [EventLog.Part.main, .refused].map { part in
            var writer = PushCore.ByteWriter()
            engine.events.write(1...max(1, engine.events.newest), of: part, to: &writer)
            return writer.bytes
        }
        counters = Dictionary(uniqueKeysWithValues: engine.counters.map { ($0.name, $0.value) })
    }

    var snapshot: EngineSnapshot {
        var snapshot = EngineSnapshot()
        (snapshot.devices, snapshot.counters) = (devices, counters)
        (snapshot.events, snapshot.refused) = ([events[0]], [events[1]])
        snapshot.records = records.map { name, bytes in
            let words = name.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (words[0], words[1], bytes)
        }
        return snapshot
    }
}

private func demandRestored(_ snapshot: EngineSnapshot) {
    var engine = emptyEngine()
    do throws(EngineSnapshot.Damage) { try engine.restore(snapshot) } catch {
        return demand(!error.reason.isEmpty, "refused without a reason")
    }
    engine.startCollectingChanges()
    let keys = snapshot.records.map { (kind: $0.kind, key: $0.key) }
    let saved = SavedRows(&engine, keys)
    use(&engine)
    _ = SavedRows(&engine, keys)
    var other = emptyEngine()
    do throws(EngineSnapshot.Damage) { try other.restore(saved.snapshot) } catch {
        return demand(false, "what was saved is refused: \(error.reason)")
    }
    let again = SavedRows(&other, keys)
    demand(again.records == saved.records, "other records: \(again.records), before: \(saved.records)")
    demand(again.devices.count == saved.devices.count, "\(again.devices.count) devices, before: \(saved.devices.count)")
    for (device, before) in zip(again.devices, saved.devices) { demandSameDevice(device, before) }
    demand(again.events == saved.events, "other events")
    demand(again.counters == saved.counters, "other counters: \(again.counters), before: \(saved.counters)")
}

private func emptyEngine() -> PushEngine {
    var settings = EngineSettings()
    settings.deviceCapacity = 16
    settings.logCapacity = 256
    settings.logByteCapacity = 1 << 20
    settings.apns.auth = .off
    return PushEngine(settings, notifier: Nobody())
}

/// Pushes to every device, and what falls due.
private func use(_ engine: inout PushEngine) {
    var connection = ConnectionMemory()
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    for slot in engine.devices.oldestFirst {
        let (apple, google) = (engine.devices[slot].apnsToken?.hex, engine.devices[slot].fcmToken)
        if let apple {
            let path = HeaderBlock([.method: "POST", .path: "/3/device/\(apple)", HeaderName("apns-topic"): "a"])
            var push = PushContext(request(path, #"{"aps":{"alert":"x"}}"#), at: now)
            _ = engine.decide(&push, isSandbox: false, &connection)
        }
        let call = HeaderBlock([.method: "POST", .path: "/v1/projects/p/messages:send"])
        let message = request(call, #"{"message":{"token":"\#(google)","notification":{"title":"x"}}}"#)
        _ = engine.answerGoogle(message, &connection.faults, at: now, systemTime: now)
    }
    for _ in 0..<4 {
        for (_, key) in engine.pendingWork.delayedFanOuts { engine.startLatePush(key) }
        for (_, device) in engine.pendingWork.wakes { engine.wake(device, at: now) }
        (engine.pendingWork.delayedFanOuts, engine.pendingWork.wakes) = ([], [])
        engine.continueFanOuts(16, at: now)
        now = now + 1_800_000
    }
}

private func request(_ headers: HeaderBlock, _ body: String) -> Request {
    var request = Request(version: .http2, headers: headers)
    request.body = Array(body.utf8)
    return request
}

private final class Nobody: DeviceNotifier {
    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {}
    func dismiss(_ viewers: [PushEngine.Viewer]) {}
}
