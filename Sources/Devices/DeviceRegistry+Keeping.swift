internal import JSON
package import PushCore

/// Devices as they are kept on a disk: an object of JSON each, with all that a phone does not forget when it is switched
/// off. What an extension is at work on is lost, as on a phone.
extension DeviceRegistry {
    package func keep(_ place: Int) -> [UInt8] {
        var json = JSONWriter()
        devices[place].keep(to: &json)
        return json.finish()
    }

    /// Takes a device in as it was kept; false where it can't be read, or another has its id.
    ///
    /// - Parameter content: what a push is for its app; nil: nobody knows any more, and it is shown no longer.
    package mutating func restore(_ bytes: [UInt8], content: (PushID, Device.Platform) -> PushContent?) -> Bool {
        guard let json = (try? JSONDocument(parsing: bytes))?.root, let device = Device(kept: json, content: content), place(of: device.id) == nil else { return false }
        let topics = device.topics
        var bare = device
        bare.topics = [:]
        let place = insert(bare)
        for (topic, since) in topics { _ = subscribe(place, to: topic, at: since) }
        for push in device.waiting { waitingBytes += push.size }
        shadeBytes += device.phone.shade.size
        return true
    }
}

extension Device {
    fileprivate func keep(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id.description)
            json.member("platform", platform.rawValue)
            json.member("app", app)
            json.member("name", name)
            json.member("project", project)
            json.member("environment", environment.rawValue)
            json.member("apns", apnsToken?.hex)
            json.member("fcm", fcmToken)
            json.member("fid", fid)
            json.member("isImplicit", isImplicit)
            json.key("state")
            state.write(to: &json)
            json.member("offlineSince", offlineSince?.milliseconds)
            json.member("isGone", isGone)
            json.member("uninstalled", uninstalled?.milliseconds)
            json.member("lostPushes", lostPushes)
            json.member("deletedMessages", deletedMessages)
            json.member("hears", channels)
            json.key("topics")
            json.object { json in for (topic, since) in topics { json.member(topic, since.milliseconds) } }
            phone.spec.write(to: &json)
            json.member("badge", phone.badge)
            json.member("shown", UInt64(phone.shown))
            json.member("recent", phone.recent.map(\.number))
            json.key("activities")
            json.object { json in
                for (type, activity) in phone.activities { json.member(type, [activity.timestamp, activity.isOver ? 1 : 0]) }
            }
            json.key("shade")
            json.array { json in for entry in phone.shade.entries { entry.keep(to: &json) } }
            json.key("waiting")
            json.array { json in for push in waiting { push.keep(to: &json) } }
        }
    }

    fileprivate init?(kept json: JSONView, content: (PushID, Platform) -> PushContent?) {
        guard let id = json["id"]?.string, let platform = json["platform"]?.string.flatMap(Platform.init(rawValue:)), let app = json["app"]?.string,
            let environment = json["environment"]?.string.flatMap(PushEnvironment.init(rawValue:)), let spec = try? PhoneSpec(json, at: "")
        else { return nil }
        let hex = json["apns"]?.string ?? ""
        var state = DeviceState()
        if let patch = json["state"] { try? state.patch(patch, at: "") }
        self.init(
            id: DeviceID(id), platform: platform, app: app, name: json["name"]?.string ?? id, apnsToken: DeviceToken(hex: hex.utf8Span.span),
            fcmToken: json["fcm"]?.string ?? "", fid: json["fid"]?.string ?? "", project: json["project"]?.string, environment: environment, state: state,
            offlineSince: json["offlineSince"]?.moment, isGone: json["isGone"]?.bool ?? false, uninstalled: json["uninstalled"]?.moment,
            lostPushes: json.int("lostPushes"), deletedMessages: json.int("deletedMessages"),
            waiting: json["waiting"]?.elements.compactMap(StoredPush.init(kept:)) ?? [], channels: json["hears"]?.elements.compactMap(\.string) ?? [],
            phone: Phone(spec: spec), isImplicit: json["isImplicit"]?.bool ?? false)
        for (topic, since) in json.sub("topics").members { if let moment = since.moment { topics[topic.string ?? ""] = moment } }
        phone.badge = json["badge"]?.int64 ?? 0
        phone.shown = UInt32(clamping: json.int("shown"))
        phone.recent = json["recent"]?.elements.compactMap { $0.uint64.map { PushID($0) } } ?? []
        for (type, value) in json.sub("activities").members {
            phone.activities[type.string ?? ""] = (timestamp: value[0]?.int64 ?? 0, isOver: value[1]?.int64 == 1)
        }
        for entry in json.sub("shade").elements {
            if let entry = ShadeEntry(kept: entry, content) { _ = phone.shade.add(entry) }
        }
    }
}

extension JSONView {
    fileprivate var moment: Timestamp? { int64.map { Timestamp(milliseconds: $0) } }
    fileprivate func int(_ key: String) -> Int { self[key]?.int64.map { Int(clamping: $0) } ?? 0 }
    /// Itself where there is none: it has no such members then.
    fileprivate func sub(_ key: String) -> JSONView { self[key] ?? self }
}

extension ShadeEntry {
    fileprivate func keep(to json: inout JSONWriter) {
        var writer = ByteWriter()
        writer.number(push.number)
        writer.signed(time.milliseconds)
        shown.keep(to: &writer)
        json.string(Hex.encode(writer.bytes))
    }

    fileprivate init?(kept json: JSONView, _ content: (PushID, Device.Platform) -> PushContent?) {
        guard let text = json.string, let bytes = Hex.decode(text.utf8Span.span) else { return nil }
        var reader = ByteReader(bytes)
        do throws(ByteReader.Damage) {
            let (push, time) = (PushID(try reader.number()), Timestamp(milliseconds: try reader.signed()))
            guard let shown = try Shown.read(from: &reader, content: { content(push, $0) }) else { return nil }
            self.init(push: push, time: time, shown: shown)
        } catch { return nil }
    }
}

extension Shown {
    /// Without the push's content, which is the push's own.
    package func keep(to writer: inout ByteWriter) {
        writer.number(content.platform == .ios ? 0 : content.platform == .android ? 1 : 2)
        writer.number(UInt64(number))
        writer.number(UInt64(surfaces.rawValue))
        writer.flag(own != nil)
        guard let own else { return }
        writer.optional(own.key)
        writer.flag(own.text != nil)
        if let text = own.text {
            for part in [text.title, text.subtitle, text.body] { writer.text(part) }
            writer.optional(text.image)
        }
        writer.flag(own.category != nil)
        guard let category = own.category else { return }
        writer.text(category.id)
        writer.flag(category.hasDismissAction)
        writer.number(UInt64(category.actions.count))
        for action in category.actions {
            writer.text(action.id)
            writer.text(action.title)
            writer.flag(action.isForeground)
            writer.flag(action.takesText)
        }
    }

    /// Nil where nobody knows the push any more.
    package static func read(
        from reader: inout ByteReader, content: (Device.Platform) -> PushContent?
    ) throws(ByteReader.Damage) -> Shown? {
        let (platform, number, surfaces) = (try reader.number(), try reader.number(), try reader.number())
        guard platform < 3 else { throw ByteReader.Damage() }
        var own: Own?
        if try reader.flag() {
            let key = try reader.optional()
            var text: ShownText?
            if try reader.flag() {
                text = ShownText(title: try reader.text(), subtitle: try reader.text(), body: try reader.text(), image: try reader.optional())
            }
            var category: NotificationCategory?
            if try reader.flag() {
                let (id, hasDismissAction) = (try reader.text(), try reader.flag())
                let actions = try reader.list { (reader) throws(ByteReader.Damage) in
                    NotificationCategory.Action(id: try reader.text(), title: try reader.text(), isForeground: try reader.flag(), takesText: try reader.flag())
                }
                category = NotificationCategory(id: id, hasDismissAction: hasDismissAction, actions: actions)
            }
            own = Own.make(key: key, text: text, category: category)
        }
        guard let content = content(platform == 0 ? .ios : platform == 1 ? .android : .web) else { return nil }
        return Shown(content: content, own: own, number: UInt32(clamping: number), surfaces: Surfaces(rawValue: UInt8(clamping: surfaces)))
    }
}

extension PushContent {
    fileprivate var platform: Device.Platform {
        switch self {
        case .apple: .ios
        case .android: .android
        case .web: .web
        }
    }
}

extension StoredPush {
    fileprivate func keep(to json: inout JSONWriter) {
        var writer = ByteWriter()
        writer.number(id.number)
        writer.signed(since.milliseconds)
        writer.request(request)
        writer.text(traits.provider.rawValue)
        writer.text(traits.name)
        writer.signed(traits.sent.milliseconds)
        writer.signed(Int64(traits.priority))
        writer.flag(traits.expires != nil)
        writer.signed(traits.expires?.milliseconds ?? 0)
        writer.flag(traits.isVisible)
        writer.octets(traits.collapseID)
        writer.flag(traits.worksInDirectBoot)
        switch slot {
        case .app: writer.number(0)
        case .channel(let channel):
            writer.number(1)
            writer.text(channel)
        case .collapseKey(let key):
            writer.number(2)
            writer.octets(key)
        case .pending(let push):
            writer.number(3)
            writer.number(push.number)
        }
        let obstacles: [Device.Obstacle] = [.offline, .directBoot, .stopped, .doze]
        var until: Timestamp?
        if case .throttled(let end) = obstacle { until = end }
        writer.number(UInt64(obstacle.flatMap(obstacles.firstIndex).map { $0 + 1 } ?? (until == nil ? 0 : 5)))
        writer.signed(until?.milliseconds ?? 0)
        json.value(Hex.encode(writer.bytes))
    }

    fileprivate init?(kept json: JSONView) {
        guard let text = json.string, let bytes = Hex.decode(text.utf8Span.span) else { return nil }
        var reader = ByteReader(bytes)
        guard let read = try? StoredPush(from: &reader) else { return nil }
        self = read
    }

    private init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (id, since, request) = (PushID(try reader.number()), Timestamp(milliseconds: try reader.signed()), try reader.request())
        guard let provider = Provider(rawValue: try reader.text()) else { throw ByteReader.Damage() }
        let (name, sent, priority) = (try reader.text(), Timestamp(milliseconds: try reader.signed()), Int(clamping: try reader.signed()))
        let (expires, moment) = (try reader.flag(), Timestamp(milliseconds: try reader.signed()))
        let traits = PushTraits(
            provider: provider, name: name, sent: sent, priority: priority, expires: expires ? moment : nil, isVisible: try reader.flag(),
            collapseID: try reader.octets(), worksInDirectBoot: try reader.flag())
        let slot: Slot
        switch try reader.number() {
        case 0: slot = .app
        case 1: slot = .channel(try reader.text())
        case 2: slot = .collapseKey(try reader.octets())
        case 3: slot = .pending(PushID(try reader.number()))
        default: throw ByteReader.Damage()
        }
        let obstacles: [Device.Obstacle?] = [nil, .offline, .directBoot, .stopped, .doze]
        let (number, until) = (try reader.number(), Timestamp(milliseconds: try reader.signed()))
        guard number <= 5 else { throw ByteReader.Damage() }
        self.init(
            id: id, request: request, traits: traits, slot: slot, since: since, obstacle: number == 5 ? .throttled(until: until) : obstacles[Int(number)])
    }
}

extension PhoneSpec {
    /// As a spec has it.
    fileprivate func write(to json: inout JSONWriter) {
        json.key("extension")
        json.object { json in
            json.member("script", `extension`.script.rawValue)
            json.member("seconds", `extension`.seconds)
            if let suffix = `extension`.titleSuffix { json.member("titleSuffix", suffix) }
        }
        json.key("tracking")
        json.object { json in
            json.member("profile", tracking.profile.rawValue)
            if !tracking.ecid.isEmpty { json.member("ecid", tracking.ecid) }
            json.member("privacy", tracking.privacy.rawValue)
        }
        if let budget = backgroundBudget { json.member("backgroundBudget", budget) }
        json.key("texts")
        json.object { json in
            for (language, table) in texts.languages {
                json.key(language)
                json.object { json in for (key, text) in table { json.member(key, text) } }
            }
        }
        json.key("categories")
        json.array { json in
            for category in categories {
                json.object { json in
                    json.member("id", category.id)
                    json.member("customDismissAction", category.hasDismissAction)
                    json.key("actions")
                    json.array { json in
                        for action in category.actions {
                            json.object { json in
                                json.member("id", action.id)
                                json.member("title", action.title)
                                json.member("foreground", action.isForeground)
                                json.member("text", action.takesText)
                            }
                        }
                    }
                }
            }
        }
        json.key("channels")
        json.array { json in
            for channel in channels {
                json.object { json in
                    json.member("id", channel.id)
                    json.member("importance", channel.importance.rawValue)
                }
            }
        }
    }
}
