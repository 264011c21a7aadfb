import Devices
import HTTPCore
import PushCore

/// What is read back from a disk: events, then a device behind the first line's end. Whatever is there is read or refused, and
/// what was read can be read again.
func fuzzKept(_ bytes: [UInt8]) {
    var reader = PushCore.ByteReader(bytes)
    var log = EventLog(capacity: 64, byteCapacity: 1 << 20)
    while !reader.isAtEnd, let kept = try? Event.read(from: &reader), kept.event.seq > log.newest,
        kept.event.seq - log.newest < 1000 || log.count == 0, kept.event.seq < 1 << 60
    {
        log.restore(kept.object == nil ? kept : kept.with(.none))
        guard log.event(kept.event.seq) != nil else { continue }
        var writer = PushCore.ByteWriter()
        for part in [EventLog.Part.main, .refused] {
            log.write(kept.event.seq...kept.event.seq, of: part, to: &writer)
        }
        var again = PushCore.ByteReader(writer.bytes)
        demand(
            (try? Event.read(from: &again))?.event.seq == kept.event.seq && again.isAtEnd,
            "an event is not read as it was written")
    }
    guard let end = bytes.firstIndex(of: 0x0A) else { return }
    var registry = DeviceRegistry(capacity: 4)
    guard registry.restore(Array(bytes[(end + 1)...]), content: { _, _ in nil }) else { return }
    let kept = registry.encoded(0)
    var other = DeviceRegistry(capacity: 4)
    let isBack = other.restore(kept, content: { _, _ in nil })
    demand(isBack, "a device is not read as it was written")
}
