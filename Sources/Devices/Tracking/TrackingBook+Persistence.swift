internal import JSON
internal import PushCore

/// Saving and restoring the tracking book.
extension TrackingBook {
    /// The hits after the first `count`, and the pushes that have changed, each with a key. A row without bytes was
    /// deleted.
    package mutating func takeUnsaved(since count: Int) -> [(key: String, bytes: [UInt8]?)] {
        var rows: [(key: String, bytes: [UInt8]?)] = []
        for (index, hit) in hits.suffix(max(0, total - count)).enumerated() {
            let number = total - min(hits.count, total - count) + index
            rows.append(("h\(number)", bytes { hit.encode(to: &$0) }))
            if number >= Self.capacity { rows.append(("h\(number - Self.capacity)", nil)) }
        }
        for push in unsaved {
            rows.append((push.description, tracked[push].map { tracked in bytes { tracked.encode(to: &$0) } }))
        }
        unsaved = []
        return rows
    }

    private func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return json.finish()
    }

    /// A saved row that this book could not have written.
    package struct DamagedRow: Error {
        package let key: String
    }

    package mutating func restore(_ rows: [(key: String, bytes: [UInt8])], total: Int) throws(DamagedRow) {
        for (key, bytes) in rows {
            do throws(ByteReader.Damage) { try restore(key, bytes) } catch { throw DamagedRow(key: key) }
        }
        self.total = max(total, hits.count)
    }

    private mutating func restore(_ key: String, _ bytes: [UInt8]) throws(ByteReader.Damage) {
        guard let json = (try? JSONDocument(parsing: bytes))?.root, let number = UInt64(key.dropFirst()),
            number <= PushID.largestSaved
        else { throw ByteReader.Damage() }
        switch key.utf8.first {
        case UInt8(ascii: "h"): restore(try Hit(stored: json))
        case UInt8(ascii: "p"): restore(Tracked(stored: json, PushID(number)))
        default: throw ByteReader.Damage()
        }
    }
}

extension TrackingBook.Hit {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member("time", time.milliseconds)
        json.member("action", action)
        json.member("broadlog", broadlog)
        json.member("delivery", delivery)
        json.member("ecid", ecid)
        json.member("push", push?.number)
        json.member("flags", flags.map(\.rawValue))
    }

    fileprivate init(stored json: JSONView) throws(ByteReader.Damage) {
        self.init(
            time: try json.savedTime("time") ?? Timestamp(milliseconds: 0), action: json["action"]?.string ?? "",
            broadlog: json["broadlog"]?.string ?? "",
            delivery: json["delivery"]?.string ?? "", ecid: json["ecid"]?.string ?? "",
            push: try json.savedPush("push"),
            flags: json["flags"]?.elements.compactMap { $0.string.flatMap(TrackingBook.Flag.init) } ?? [])
    }
}

extension TrackingBook.Tracked {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member("broadlog", key?.broadlog)
        json.member("delivery", key?.delivery)
        json.member("expected", simulatedActions)
        json.member("reported", reported)
        json.member("why", why)
    }

    fileprivate init(stored json: JSONView, _ push: PushID) {
        let key = json["broadlog"]?.string.flatMap { broadlog in
            json["delivery"]?.string.map { TrackingBook.Key(broadlog: broadlog, delivery: $0) }
        }
        self.init(
            push: push, key: key, simulatedActions: json["expected"]?.elements.compactMap(\.string) ?? [],
            reported: json["reported"]?.elements.compactMap(\.string) ?? [], why: json["why"]?.string)
    }
}
