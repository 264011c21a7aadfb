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
        guard let json = (try? JSONDocument(parsing: bytes))?.root, let device = Device(saved: json, content: content),
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
            json.key("state")
            state.write(to: &json)
            json.member("offlineSince", offlineSince?.milliseconds)
            json.member("isGone", isAppRemoved)
            json.member("uninstalled", unregisteredSince?.milliseconds)
            json.member("lostPushes", lostPushes)
            json.member("deletedMessages", deletedMessages)
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
            // One string for all entries, because a full shade has a thousand of them and is written with each batch.
            var shade = ByteWriter()
            shade.number(UInt64(phone.shade.count))
            for entry in phone.shade.entries { entry.encode(to: &shade) }
            json.member("shade", Hex.encode(shade.bytes))
            json.key("waiting")
            json.array { json in for push in waitingPushes { push.encode(to: &json) } }
        }
    }

    fileprivate init?(saved json: JSONView, content: (PushID, Platform) -> PushContent?) {
        guard let id = json["id"]?.string, let platform = json["platform"]?.string.flatMap(Platform.init(rawValue:)),
            let app = json["app"]?.string,
            let environment = json["environment"]?.string.flatMap(PushEnvironment.init(rawValue:)),
            let spec = try? PhoneSpec(json, at: "")
        else { return nil }
        let hex = json["apns"]?.string ?? ""
        var state = DeviceState()
        if let patch = json["state"] { try? state.patch(patch, at: "") }
        self.init(
            id: DeviceID(id), platform: platform, app: app, name: json["name"]?.string ?? id,
            apnsToken: DeviceToken(hex: hex.utf8Span.span),
            activityToken: json["activityStart"]?.string.flatMap { DeviceToken(hex: $0.utf8Span.span) },
            fcmToken: json["fcm"]?.string ?? "", fid: json["fid"]?.string ?? "", project: json["project"]?.string,
            environment: environment, state: state,
            offlineSince: json["offlineSince"]?.timestamp, isAppRemoved: json["isGone"]?.bool ?? false,
            unregisteredSince: json["uninstalled"]?.timestamp,
            lostPushes: json.int("lostPushes"), deletedMessages: json.int("deletedMessages"),
            waitingPushes: json["waiting"]?.elements.compactMap(StoredPush.init(saved:)) ?? [],
            channels: json["hears"]?.elements.compactMap(\.string) ?? [],
            phone: Phone(spec: spec), isImplicit: json["isImplicit"]?.bool ?? false)
        for (topic, since) in json.memberOrSelf("topics").members {
            if let time = since.timestamp { topics[topic.string ?? ""] = time }
        }
        for kind in TokenKind.allCases {
            guard let hex = json["otherTokens"]?[kind.rawValue]?.string else { continue }
            otherTokens[kind] = DeviceToken(hex: hex.utf8Span.span)
        }
        phone.badge = json["badge"]?.int64 ?? 0
        phone.unreportedCalls = json.int("unreportedCalls")
        phone.shownCount = UInt32(clamping: json.int("shown"))
        phone.recentMessages = json["recent"]?.elements.compactMap { $0.uint64.map { PushID($0) } } ?? []
        for (type, value) in json.memberOrSelf("activities").members {
            var activity = LiveActivity(timestamp: value[0]?.int64 ?? 0)
            activity.hasEnded = value[1]?.int64 == 1
            activity.staleDate = value[2]?.nonzeroTimestamp
            activity.dismissalDate = value[3]?.nonzeroTimestamp
            activity.token = json["activityTokens"]?[type.string ?? ""]?.string.flatMap {
                DeviceToken(hex: $0.utf8Span.span)
            }
            phone.activities[type.string ?? ""] = activity
        }
        guard let hex = json["shade"]?.string, let bytes = Hex.decode(hex.utf8Span.span) else { return }
        var reader = ByteReader(bytes)
        let entries = try? reader.list { (reader) throws(ByteReader.Damage) in
            try ShadeEntry.read(from: &reader, content)
        }
        for case let entry? in entries ?? [] { _ = phone.shade.add(entry) }
    }
}

extension JSONView {
    /// Nil if it is 0.
    fileprivate var nonzeroTimestamp: Timestamp? { int64 == 0 ? nil : timestamp }
    fileprivate var timestamp: Timestamp? { int64.map { Timestamp(milliseconds: $0) } }
    fileprivate func int(_ key: String) -> Int { self[key]?.int64.map { Int(clamping: $0) } ?? 0 }
    /// The member with this key, which `DeviceRegistry.encoded` always writes. If it is missing anyway, returns this
    /// object, because there is no empty view.
    fileprivate func memberOrSelf(_ key: String) -> JSONView { self[key] ?? self }
}
