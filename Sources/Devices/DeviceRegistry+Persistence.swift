internal import JSON
package import PushCore

/// The format in which devices are stored on disk: one JSON object each, with everything that a phone remembers while
/// it is switched off. A push that an extension is working on is lost, as on a real phone.
extension DeviceRegistry {
    /// Encodes the device as JSON for storage on disk.
    package func encoded(_ slot: Int) -> [UInt8] {
        var json = JSONWriter()
        devices[slot].encode(to: &json)
        return json.finish()
    }

    /// Adds a stored device. Returns false if it can't be read, or if another device has its id.
    ///
    /// - Parameter content: returns the content of a push on a platform, or nil if the push is no longer known. Its
    ///   notification is then dropped.
    package mutating func restore(_ bytes: [UInt8], content: (PushID, Device.Platform) -> PushContent?) -> Bool {
        guard let json = (try? JSONDocument(parsing: bytes))?.root,
            let device = try? Device(saved: json, content: content),
            slot(of: device.id) == nil
        else { return false }
        let topics = device.topics
        var withoutTopics = device
        withoutTopics.topics = [:]
        let slot = insert(withoutTopics)
        for (topic, since) in topics { _ = subscribe(slot, to: topic, at: since) }
        for push in device.waitingPushes { waitingBytes += push.size }
        shadeBytes += device.phone.shade.size
        return true
    }
}

extension Device {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id.description)
            json.member("platform", platform.rawValue)
            json.member("app", app)
            json.member("name", name)
            json.member("project", project)
            json.member("environment", environment.rawValue)
            json.member("apns", apnsToken?.hex)
            json.member("activityStart", activityToken?.hex)
            json.key("otherTokens")
            json.object { json in
                for kind in TokenKind.allCases {
                    if let token = otherTokens[kind] { json.member(kind.rawValue, token.hex) }
                }
            }
            json.member("fcm", fcmToken)
            json.member("fid", fid)
            json.member("isImplicit", isImplicit)
            if let subscription {
                json.key("subscription")
                subscription.write(to: &json)
            }
            if let receiver { json.member("receiver", [receiver.token, receiver.client, receiver.endpoint]) }
            json.key("state")
            state.write(to: &json)
            json.member("offlineSince", offlineSince?.milliseconds)
            json.member("isGone", isAppRemoved)
            json.member("uninstalled", unregisteredSince?.milliseconds)
            json.member("lostPushes", lostPushes)
            json.member("deletedMessages", deletedMessages)
            // The broadcast channels; saved files use this older name.
            json.member("hears", channels)
            json.key("topics")
            json.object { json in for (topic, since) in topics { json.member(topic, since.milliseconds) } }
            phone.spec.write(to: &json)
            json.member("badge", phone.badge)
            json.member("unreportedCalls", phone.unreportedCalls)
            json.member("shown", UInt64(phone.shownCount))
            json.member("recent", phone.recentMessages.map(\.number))
            json.key("activities")
            json.object { json in
                for (type, activity) in phone.activities {
                    json.member(
                        type,
                        [
                            activity.timestamp, activity.hasEnded ? 1 : 0, activity.staleDate?.milliseconds ?? 0,
                            activity.dismissalDate?.milliseconds ?? 0,
                        ])
                }
            }
            json.key("activityTokens")
            json.object { json in
                for (type, activity) in phone.activities {
                    if let token = activity.token { json.member(type, token.hex) }
                }
            }
            // One string for all entries, because a full shade has a thousand of them and is written again each time
            // the device has changed.
            var shade = ByteWriter()
            shade.number(UInt64(phone.shade.count))
            for entry in phone.shade.entries { entry.encode(to: &shade) }
            json.member("shade", Hex.encode(shade.bytes))
            json.key("waiting")
            json.array { json in for push in waitingPushes { push.encode(to: &json) } }
        }
    }

    fileprivate init(saved json: JSONView, content: (PushID, Platform) -> PushContent?) throws(ByteReader.Damage) {
        guard let id = json["id"]?.string, let platform = json["platform"]?.string.flatMap(Platform.init(rawValue:)),
            let app = json["app"]?.string,
            let environment = json["environment"]?.string.flatMap(PushEnvironment.init(rawValue:)),
            let spec = try? PhoneSpec(json, at: "")
        else { throw ByteReader.Damage() }
        var waiting: [StoredPush] = []
        if let saved = json["waiting"] { for push in saved.elements { waiting.append(try StoredPush(saved: push)) } }
        let hex = json["apns"]?.string ?? ""
        var state = DeviceState()
        if let patch = json["state"] { try? state.patch(patch, at: "") }
        let receiver = json["receiver"]?.elements.compactMap(\.string)
        guard receiver?.count ?? 3 == 3 else { throw ByteReader.Damage() }
        // A real receiver connects again.
        if receiver != nil { state.online = false }
        self.init(
            id: DeviceID(id), platform: platform, app: app, name: json["name"]?.string ?? id,
            apnsToken: DeviceToken(hex: hex.utf8Span.span),
            activityToken: json["activityStart"]?.string.flatMap { DeviceToken(hex: $0.utf8Span.span) },
            fcmToken: json["fcm"]?.string ?? "", fid: json["fid"]?.string ?? "", project: json["project"]?.string,
            environment: environment, state: state,
            offlineSince: try json.savedTime("offlineSince"), isAppRemoved: json["isGone"]?.bool ?? false,
            unregisteredSince: try json.savedTime("uninstalled"),
            lostPushes: try json.savedCount("lostPushes"), deletedMessages: try json.savedCount("deletedMessages"),
            waitingPushes: waiting,
            channels: json["hears"]?.elements.compactMap(\.string) ?? [],
            phone: Phone(spec: spec), isImplicit: json["isImplicit"]?.bool ?? false,
            receiver: receiver.map { Receiver(token: $0[0], client: $0[1], endpoint: $0[2]) })
        if let saved = json["topics"] {
            for (topic, since) in saved.members { topics[topic.string ?? ""] = try since.savedTime() }
        }
        if let saved = json["subscription"] { subscription = try WebSubscription(saved: saved) }
        for kind in TokenKind.allCases {
            guard let hex = json["otherTokens"]?[kind.rawValue]?.string else { continue }
            otherTokens[kind] = DeviceToken(hex: hex.utf8Span.span)
        }
        phone.badge = json["badge"]?.int64 ?? 0
        phone.unreportedCalls = try json.savedCount("unreportedCalls")
        phone.shownCount = UInt32(try json.savedCount("shown", upTo: Int64(UInt32.max)))
        if let saved = json["recent"] {
            for push in saved.elements { phone.recentMessages.append(try push.savedPush()) }
        }
        if let saved = json["activities"] { try restoreActivities(saved, tokens: json["activityTokens"]) }
        guard let hex = json["shade"]?.string else { return }
        guard let bytes = Hex.decode(hex.utf8Span.span) else { throw ByteReader.Damage() }
        var reader = ByteReader(bytes)
        let entries = try reader.list { (reader) throws(ByteReader.Damage) in
            try ShadeEntry.read(from: &reader, content)
        }
        for case let entry? in entries { _ = phone.shade.add(entry) }
    }

    private mutating func restoreActivities(_ saved: JSONView, tokens: JSONView?) throws(ByteReader.Damage) {
        for (type, value) in saved.members {
            var activity = LiveActivity(timestamp: value[0]?.int64 ?? 0)
            activity.hasEnded = value[1]?.int64 == 1
            activity.staleDate = try value[2]?.activityDate()
            activity.dismissalDate = try value[3]?.activityDate()
            activity.token = tokens?[type.string ?? ""]?.string.flatMap {
                DeviceToken(hex: $0.utf8Span.span)
            }
            phone.activities[type.string ?? ""] = activity
        }
    }
}

extension JSONView {
    /// A stale or dismissal date; nil if it is 0. Its limit is that of the dates in payloads.
    fileprivate func activityDate() throws(ByteReader.Damage) -> Timestamp? {
        guard let number = int64, 0...LiveActivity.latestDate ~= number else { throw ByteReader.Damage() }
        return number == 0 ? nil : Timestamp(milliseconds: number)
    }
}
