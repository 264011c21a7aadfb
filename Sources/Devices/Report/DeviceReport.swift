package import JSON
package import PushCore

/// What one device did with one push, in words, derived from the events of that push on that device.
///
/// The log, `pushpit send`, `pushpit device` and the control API all use this type.
package struct DeviceReport {
    /// Where the push is: the newest of `stored`, `delivered`, `dropped` and `collapsed`, and its rule.
    private var transit: (kind: Event.Kind, why: String?)?
    /// What the phone did: the newest of `presented` and `suppressed`.
    private var reaction: (kind: Event.Kind, why: String?, isSoundAlone: Bool)?
    private var callbacks: [String] = []
    /// What a real receiver says about the push, once it has it.
    private var receipt: String?
    private var badge: Int?
    /// The phase of the notification service extension, and the rule of its failure.
    private var extensionPhase: (name: String, why: String?, fetches: Bool)?
    private var image: (isShown: Bool, missing: MissingImage?)?

    package init() {}

    /// - Parameters:
    ///   - why: the id of the rule.
    ///   - data: the event's data in JSON.
    package mutating func add(_ kind: Event.Kind, why: String?, _ data: JSONView?) {
        switch kind {
        case .stored, .delivered, .dropped, .collapsed: transit = (kind, why)
        case .presented:
            let isVisible = data?["key"] != nil || data?["activity"] != nil
            reaction = (kind, why, data?["sound"] != nil && !isVisible)
        case .suppressed where reaction?.kind != .presented: reaction = (kind, why, false)
        case .callback where data?["name"]?.string == "ack": receipt = Self.receipt(data?["code"]?.int)
        case .callback: if let name = data?["name"]?.string, !callbacks.contains(name) { callbacks.append(name) }
        case .badge: badge = data?["badge"]?.int
        case .extension:
            let script = data?["script"]?.string
            let fetches = script.map { $0 == "firebase" || $0 == "adobe" } ?? extensionPhase?.fetches ?? false
            extensionPhase = (data?["phase"]?.string ?? "", why, fetches)
        case .attachment:
            let isShown = ["attached", "shown"].contains(data?["outcome"]?.string ?? "")
            image = (isShown, isShown ? nil : MissingImage(why: why ?? "", data))
        case .suppressed, .accepted, .refused, .replaced, .removed, .opened, .dismissed, .action, .tracking, .state,
            .token, .registered, .unregistered, .subscribed, .unsubscribed, .fault, .clock:
            break
        }
    }

    /// Why the notification has no image; nil if it has one, names none, or is not shown yet.
    package var missingImage: MissingImage? {
        guard reaction?.kind == .presented else { return nil }
        if let missing = image?.missing { return missing }
        guard image == nil, let phase = extensionPhase, phase.name == "original", phase.fetches else { return nil }
        return MissingImage(why: phase.why ?? "", nil)
    }

    /// Whether the person sees or the app gets what the push is for.
    package var isDone: Bool { reaction?.kind == .presented || !callbacks.isEmpty || badge != nil || receipt != nil }

    /// - Parameter code: the code in the acknowledgment. Only clients of Mozilla's service send one.
    private static func receipt(_ code: Int?) -> String {
        switch code {
        case nil, 100: "received by the browser"
        case 101: "received, but the browser could not decrypt it"
        case let code?: "received, but the browser says \(code)"
        }
    }

    /// What the device did, as the end of a sentence: `presented`, or `waiting: the device is offline`.
    package var did: String {
        if let reaction {
            switch reaction.kind {
            case .presented where reaction.isSoundAlone: return "sound played"
            case .presented: return image?.isShown == true ? "presented with its image" : "presented"
            default: if callbacks.isEmpty { return with("suppressed", reaction.why) }
            }
        }
        if !callbacks.isEmpty { return "\(callbacks.joined(separator: " and ")) called" }
        if let badge { return "badge \(badge)" }
        if let receipt { return receipt }
        if let phase = extensionPhase, phase.name == "started" { return "the extension is still working" }
        switch transit?.kind {
        case .stored: return with("waiting", transit?.why)
        case .dropped: return with("dropped", transit?.why)
        case .collapsed: return with("dropped", transit?.why)
        case .delivered: return "delivered"
        default: return ""
        }
    }

    /// The rule behind `did` that has a remedy; nil if nothing has to be changed.
    package var obstacle: Rule? {
        if isDone { return nil }
        return (reaction?.why ?? (transit?.kind == .delivered ? nil : transit?.why)).flatMap {
            DeviceRules.rowsByID[$0]
        }
    }

    private func with(_ word: String, _ why: String?) -> String {
        guard let rule = why.flatMap({ DeviceRules.rowsByID[$0] }) else { return word }
        // The meaning of an outcome begins with the vendor's name for it.
        let name = TransitOutcome(rule.id).map { "\($0.word): " } ?? ""
        return "\(word): \(String(rule.meaning.dropFirst(name.count)).firstSentence)"
    }
}

extension DeviceRules {
    static let rowsByID = Dictionary(all.map { ($0.id.description, $0) }, uniquingKeysWith: { first, _ in first })
}

extension String {
    /// The text before the first full stop that ends a sentence; it is put after a colon.
    package var firstSentence: String {
        let first = place(of: ". ").map { String(self[..<$0]) } ?? self
        let text = first.hasSuffix(".") ? String(first.dropLast()) : first
        return text.hasPrefix("The ") ? "the " + text.dropFirst(4) : text
    }
}
