internal import APNs
internal import FCM
package import HTTPCore
package import JSON
package import PushCore

/// The ids in the answer to a push, by which its sender knows it. If a fault replaced the answer, the ids that the real
/// answer would have had.
package struct AnsweredIDs: Sendable {
    /// The `apns-id`, or the `apns-request-id` of a broadcast; nil for FCM.
    package private(set) var apnsID: String?
    /// The `apns-unique-id`, which only the sandbox sends.
    package private(set) var apnsUniqueID: String?
    /// Google's name for the message, `projects/PROJECT/messages/ID`; nil if the message was refused.
    package private(set) var name: String?

    init(_ record: PushRecord, _ request: Request, _ generator: IDGenerator) {
        switch record.provider {
        case .apns:
            apnsID = request.suppliedAPNsID ?? generator.id(of: record.id).text
            if record.environment == .sandbox {
                apnsUniqueID = generator.uniqueID(of: record.id).text.lowercased()
            }
        case .webpush: break
        case .fcm: if !record.name.isEmpty { name = request.messageName(record.name) }
        }
    }

    /// Reads the ids from an answer.
    package init(in answer: Response) {
        func text(_ name: HeaderName) -> String? {
            answer.headers.first(name).map { String(decoding: $0, as: UTF8.self) }
        }
        apnsID = text(.apnsID) ?? text(.apnsRequestID)
        apnsUniqueID = text(.apnsUniqueID)
        guard apnsID == nil, answer.status == 200, case .bytes(let body) = answer.body else { return }
        let name = (try? JSONDocument(parsing: body))?.root["name"]?.string
        self.name = name.flatMap { $0.includes("/messages/") ? $0 : nil }
    }

    /// Writes the ids as members of an object. Leaves out the ids that are nil.
    package func write(to json: inout JSONWriter) {
        if let apnsID { json.member("apnsId", apnsID) }
        if let apnsUniqueID { json.member("apnsUniqueId", apnsUniqueID) }
        if let name { json.member("name", name) }
    }
}

extension Request {
    /// The Firebase project in the path of a call to Google.
    var project: String? {
        let pieces = path.split(separator: UInt8(ascii: "/"))
        return pieces.count > 2 ? PercentCode.decode(pieces[2], isForm: false) : nil
    }

    /// Google's name for the message that this request sends.
    package func messageName(_ id: String) -> String? { project.map { "projects/\($0)/messages/\(id)" } }
}

extension PushEngine {
    /// The ids in the answer to a push; nil if the log has forgotten the push.
    package func answeredIDs(of record: PushRecord) -> AnsweredIDs? {
        events.request(at: record.request).map { AnsweredIDs(record, $0, idGenerator) }
    }
}
