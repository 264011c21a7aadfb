internal import PushCore

/// A Notification Service Extension, and the file it attaches (facts/device.md §2.3(2), §2.4 and §2.5).
extension Device {
    private static let patience: Int64 = 30_000

    mutating func runExtension(
        for arrival: Arrival, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        let spec = phone.spec.extension
        tell(
            .extension, arrival.push, .extensionStarted,
            [("script", .string(spec.script.rawValue)), ("phase", .string("started"))], &effects)
        let suffix = spec.titleSuffix ?? (spec.script == .firebase ? " [modified]" : "")
        var text = localized(content) ?? content.text
        text.title += suffix
        switch spec.script {
        case .none: break
        case .echo: finish(arrival, content, text, at: now, &effects)
        case .crash: giveUp(arrival, content, .extensionCrash, at: now, &effects)
        case .firebase:
            guard let url = content.image else { return finish(arrival, content, text, at: now, &effects) }
            guard !url.isEmpty, !url.utf8.contains(where: { $0 <= 0x20 }) else {
                let fault = "20000: The Image URL provided is invalid"
                tell(
                    .attachment, arrival.push, .attachmentURL,
                    [("url", .string(url)), ("outcome", .string("failed")), ("message", .string(fault))], &effects)
                return finish(arrival, content, text, at: now, &effects)
            }
            fetch(url, for: arrival, text, at: now, &effects)
        case .adobe:
            // Its sample never calls back without a URL; a URL without a path crashes it.
            guard let url = content.media, !url.isEmpty else {
                return wait(arrival, text, Self.patience, at: now, &effects)
            }
            // So does a file that is there already, from the push before.
            let file = MediaFile(url)
            guard file.hasName, !phone.files.contains(String(file.name)) else {
                return giveUp(arrival, content, .extensionCrash, at: now, &effects)
            }
            fetch(url, for: arrival, text, at: now, &effects)
        case .slow: wait(arrival, text, min(spec.seconds * 1000, Self.patience), at: now, &effects)
        case .remote: wait(arrival, text, Self.patience, at: now, &effects)
        }
    }

    /// The file is there, or will be.
    mutating func fetched(_ push: PushID, _ media: Media?, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard let index = phone.jobs.lastIndex(where: { $0.arrival.push == push && $0.isFetching }) else { return }
        phone.jobs[index].isFetching = false
        let job = phone.jobs[index]
        let (word, isGood, delay) = verdict(on: media, job)
        if media != nil, phone.spec.extension.script == .adobe { keepFile(job.text.image ?? "") }
        // What comes after the extension's end is nobody's any more.
        phone.jobs[index].word = now + delay < job.due || platform != .ios ? word : nil
        if !isGood { phone.jobs[index].text.image = nil }
        phone.jobs[index] = phone.jobs[index].due(now + min(delay, job.due.milliseconds - now.milliseconds))
        if delay == 0 { finishJobs(at: now, &effects) } else { effects.append(.wake(phone.jobs[index].due)) }
    }

    private mutating func keepFile(_ url: String) {
        if phone.files.count >= Phone.remembered { phone.files.removeFirst() }
        phone.files.append(String(MediaFile(url).name))
    }

    /// Shows what is due.
    mutating func finishJobs(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        while let index = phone.jobs.firstIndex(where: { $0.due <= now && !$0.isFetching }) {
            let job = phone.jobs.remove(at: index)
            if let word = job.word {
                effects.append(.event(word.kind, push: job.arrival.push, why: word.why, word.detail))
            }
            switch job.arrival.content {
            case .apple(let content):
                let isLate = job.due.milliseconds - job.started.milliseconds >= Self.patience
                if isLate {
                    giveUp(job.arrival, content, .extensionTimeout, at: now, &effects)
                } else {
                    finish(job.arrival, content, job.text, at: now, &effects)
                }
            case .android(let content): show(job.arrival, content, job.text, at: now, &effects)
            case .web: break
            }
        }
    }

    mutating func extensionAnswered(
        _ push: PushID, _ result: ExtensionResult, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        guard let index = phone.jobs.firstIndex(where: { $0.arrival.push == push }),
            case .apple(let content) = phone.jobs[index].arrival.content
        else { return }
        let job = phone.jobs.remove(at: index)
        switch result {
        case .crash: giveUp(job.arrival, content, .extensionCrash, at: now, &effects)
        case .timeout: giveUp(job.arrival, content, .extensionTimeout, at: now, &effects)
        case .content(let title, let subtitle, let body):
            var text = localized(content) ?? content.text
            if let title { text.title = title }
            if let subtitle { text.subtitle = subtitle }
            if let body { text.body = body }
            finish(job.arrival, content, text, at: now, &effects)
        }
    }

    /// Whether an extension works on that push.
    func awaitsExtension(for push: PushID) -> Bool {
        phone.spec.extension.script == .remote && phone.jobs.contains { $0.arrival.push == push }
    }

    func tell(
        _ kind: Event.Kind, _ push: PushID, _ why: PhoneRule, _ fields: [(String, JSONScalar)],
        _ effects: inout [DeviceEffect]
    ) {
        effects.append(.event(kind, push: push, why: why, .fields(fields)))
    }

    /// Where too many wait, the oldest is shown as it came.
    mutating func begin(_ job: Phone.Job, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        if phone.jobs.count >= Phone.jobLimit {
            phone.jobs[0] = phone.jobs[0].due(now)
            phone.jobs[0].isFetching = false
            finishJobs(at: now, &effects)
        }
        phone.jobs.append(job)
    }

    private mutating func wait(
        _ arrival: Arrival, _ text: ShownText, _ milliseconds: Int64, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        begin(Phone.Job(arrival: arrival, started: now, due: now + milliseconds, text: text), at: now, &effects)
        effects.append(.wake(now + milliseconds))
    }

    private mutating func fetch(
        _ url: String, for arrival: Arrival, _ text: ShownText, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        var text = text
        text.image = url
        begin(
            Phone.Job(arrival: arrival, started: now, due: now + Self.patience, text: text, isFetching: true), at: now,
            &effects)
        effects.append(.fetch(arrival.push, url: url))
    }

    /// It called back in time; what has no text is not taken.
    private mutating func finish(
        _ arrival: Arrival, _ content: AppleContent, _ text: ShownText, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        guard !text.isEmpty else { return giveUp(arrival, content, .extensionEmpty, at: now, &effects) }
        tell(.extension, arrival.push, .extensionStarted, [("phase", .string("finished"))], &effects)
        present(arrival, content, text, at: now, &effects)
    }

    private mutating func giveUp(
        _ arrival: Arrival, _ content: AppleContent, _ why: PhoneRule, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        tell(.extension, arrival.push, why, [("phase", .string("original"))], &effects)
        present(arrival, content, at: now, &effects)
    }

    /// What is said of a file, whether it is shown, and how long it takes.
    private func verdict(on media: Media?, _ job: Phone.Job) -> (Phone.Job.Word, isGood: Bool, delay: Int64) {
        let url = job.text.image ?? ""
        func word(_ why: PhoneRule, _ outcome: String, _ message: String? = nil) -> Phone.Job.Word {
            var fields: [(String, JSONScalar)] = [("url", .string(url)), ("outcome", .string(outcome))]
            if let message { fields.append(("message", .string(message))) }
            return Phone.Job.Word(kind: .attachment, why: why, detail: .fields(fields))
        }
        guard let media else { return (word(.mediaSkipped, "skipped"), false, 0) }
        if platform == .android {
            if media.delay > Self.imagePatience {
                return (word(.androidImageSlow, "failed"), false, Self.imagePatience)
            }
            if let message = AndroidImage.fault(of: media) {
                return (word(.androidImageFailed, "failed", message), false, media.delay)
            }
            return (word(.androidImage, "shown"), true, media.delay)
        }
        switch MediaFile(url).fault(of: media, guessesType: phone.spec.extension.script == .firebase) {
        case .type: return (word(.attachmentType, "failed", "20003: no type that attachments take"), false, media.delay)
        case .size: return (word(.attachmentSize, "failed", "20003: too large"), false, media.delay)
        case .content:
            return (word(.attachmentContent, "failed", "20003: its content is of another type"), false, media.delay)
        case nil: return (word(.attached, "attached"), true, media.delay)
        }
    }

    private static let imagePatience: Int64 = 5000
}

extension Phone.Job {
    /// The same, over at another time.
    func due(_ due: Timestamp) -> Phone.Job {
        Phone.Job(arrival: arrival, started: started, due: due, text: text, word: word, isFetching: isFetching)
    }
}
