import Devices
import JSON
import PushCore

/// Lines for one device: a spec, then payloads and acts in turn. Whatever comes, its shade holds each key once, what it
/// says is JSON, and what a person may do is done.
func fuzzPhone(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: 0x0A, maxSplits: 40, omittingEmptySubsequences: false).map(Array.init)
    let platform = Device.Platform.allCases[Int(bytes.first ?? 0) % 3]
    var registry = DeviceRegistry(capacity: 2)
    var random = Random(seed: 1)
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    let first = lines.removeFirst()
    var spec = (try? JSONDocument(parsing: first)).flatMap { try? DeviceSpec($0.root, at: "/device") }
    if spec == nil {
        spec = (try? JSONDocument(parsing: Array("{}".utf8))).flatMap { try? DeviceSpec($0.root, at: "") }
    }
    guard var spec else { return }
    spec.platform = platform
    spec.app = "a"
    guard let slot = registry.make(spec, in: .production, at: now, using: &random) else { return }
    for (number, line) in lines.enumerated() {
        let json = try? JSONDocument(parsing: line).root
        let push = PushID(UInt64(number % 12))
        var inputs = [
            DeviceInput.push(
                Arrival(
                    push: push, content: PushContent(json?.document, for: platform),
                    collapseID: number % 3 == 0 ? Array(line.prefix(8)) : []))
        ]
        if let json, let act = try? UserAction(json), registry.obstacle(to: act, at: slot) == nil {
            inputs.append(.act(act))
        }
        if let json { try? registry.patchState(slot, json, at: "", now) }
        if number % 5 == 4 { inputs.append([.launch, .forceQuit, .clearAll, .timer][number / 5 % 4]) }
        while !inputs.isEmpty {
            for effect in registry.handle(inputs.removeFirst(), at: slot, now) {
                switch effect {
                case .event(let kind, _, _, let detail): demandJSON(kind, detail, at: now)
                case .activityBegan(let type, _): _ = registry.makeActivityToken(type, slot, at: now, using: &random)
                case .activityEnded(let token): if let token { registry.endActivity(token, slot, at: now) }
                case .fetch(let push, let request):
                    let (url, count) = (request.url, request.url.utf8.count)
                    var media = Media(contentType: url, size: count << 12, delay: Int64(line.count))
                    if count % 3 == 0 { media.format = MediaFormat(of: Array(line.suffix(MediaFormat.headLength))) }
                    // Every fifth result never comes.
                    let results: [FetchResult?] = [
                        .skipped(nil), .received(media), .failed(url), .timedOut, nil,
                    ]
                    if let result = results[count % 5] { inputs.append(.fetched(push, result)) }
                case .wake(let due): demand(due > now, "a timer for \(due) at \(now)")
                case .hit(let hit): demand(!hit.broadlog.isEmpty && !hit.delivery.isEmpty, "a hit without ids")
                case .unreported(_, let why, _): demand(!why.isEmpty, "no reason")
                }
            }
        }
        now = now + Int64(line.count) * 100
        let keys = registry[slot].phone.shade.entries.map(\.key)
        demand(Set(keys).count == keys.count, "a key twice: \(keys)")
    }
}

private func demandJSON(_ kind: Event.Kind, _ detail: Event.Detail, at now: Timestamp) {
    guard case .object(let object) = detail else { return }
    var log = EventLog(capacity: 1, byteCapacity: 1)
    log.append(kind, at: now, about: Event.Subject(app: "a"))
    guard let event = log.event(1) else { return }
    var json = JSONWriter()
    var marks = FrameTemplate.Placeholders()
    object.write(of: event, to: &json, &marks)
    let written = json.finish()
    demand((try? JSONDocument(parsing: written)) != nil, "no JSON: \(String(decoding: written, as: UTF8.self))")
}
