internal import Devices
package import JSON
package import PushCore

/// The JSON form of an event, as in event streams and device sockets.
extension Event {
    /// - Parameter ids: the ids in the answer, if this event is about an answer to a push.
    package func write(to json: inout JSONWriter, _ ids: AnsweredIDs? = nil) {
        json.object { json in
            json.member("seq", seq)
            json.member("time", time)
            json.member("kind", kind.rawValue)
            json.member("app", app)
            if let device { json.member("device", device.description) }
            if let push { json.member("push", push) }
            if let why { json.member("why", why.description) }
            json.key("data")
            var marks = FrameTemplate.Placeholders()
            writeData(to: &json, &marks, ids)
        }
    }

    /// Writes the event's `data`: the vendor's name for the outcome, and details.
    package func writeData(
        to json: inout JSONWriter, _ marks: inout FrameTemplate.Placeholders, _ ids: AnsweredIDs? = nil
    ) {
        switch detail {
        case .data(let object): json.raw(object)
        case .object(let object): object.write(of: self, to: &json, &marks)
        case .none, .push, .stored, .replaced, .channel, .topic, .deleted, .fields: writeMembers(to: &json, ids)
        }
    }

    private func writeMembers(to json: inout JSONWriter, _ ids: AnsweredIDs?) {
        json.object { json in
            if let outcome = why.flatMap(TransitOutcome.init) { json.member("outcome", outcome.word) }
            switch detail {
            case .stored(let milliseconds): json.member("storedFor", milliseconds)
            case .replaced(let push): json.member("by", push)
            case .channel(let channel): json.member("channel", channel)
            case .topic(let topic): json.member("topic", topic)
            case .deleted(let count):
                json.member("name", "onDeletedMessages")
                json.member("count", count)
            case .fields(let fields): for (name, value) in fields { json.member(name, value) }
            case .push(let record):
                json.member("provider", record.provider.rawValue)
                json.member("status", record.status)
                if let reason = record.reason { json.member("reason", reason) }
                ids?.write(to: &json)
            case .none, .data, .object: break
            }
        }
    }

    /// The number in this event's `data`, and a key that it shares with all events whose `data` is the same except for
    /// this number. Their frames are made from one template. The key is nil if the data is unique.
    package var templateKey: (templateKey: TemplateKey?, number: UInt32) {
        switch detail {
        case .none: (TemplateKey(of: nil, 0), 0)
        case .object(let data): (data.templateKey, data.number)
        case .push, .stored, .replaced, .channel, .topic, .deleted, .data, .fields: (nil, 0)
        }
    }
}
