internal import PushCore

/// The Notification Service Extension (docs/evidence/device.md §2.3(2), §2.4 and §2.5).
extension Device {
    /// The time in milliseconds that iOS gives an extension.
    private static let timeLimit: Int64 = 30_000

    /// Why the extension does not get the push; nil if it does.
    func obstacleToExtension(_ content: AppleContent) -> PhoneRule? {
        if phone.spec.extension.script == .none { return .extensionMissing }
        if !content.isMutable { return .extensionNotAllowed }
        return content.isDictionary && content.hasAlert ? nil : .extensionNeedsText
    }

    /// Reports why a push that names an image is shown without it. Nothing is reported if it names none.
    func explainMissingImage(
        of push: PushID, _ content: AppleContent, _ why: PhoneRule, _ effects: inout [DeviceEffect]
    ) {
        guard content.hasAlert, let url = content.image ?? content.media ?? content.unreadMedia else { return }
        emit(.attachment, push, why, [("url", .string(url)), ("outcome", .string("skipped"))], &effects)
    }

    mutating func runExtension(
        for arrival: Arrival, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        let spec = phone.spec.extension
        emit(
            .extension, arrival.push, .extensionRan,
            [("script", .string(spec.script.rawValue)), ("phase", .string("started"))], &effects)
        let suffix = spec.titleSuffix ?? (spec.script == .firebase ? " [modified]" : "")
        var text = localized(content) ?? content.text
        text.title += suffix
        switch spec.script {
        case .none: break
        case .echo:
            explainMissingImage(of: arrival.push, content, .imageIgnored, &effects)
            finish(arrival, content, text, at: now, &effects)
        case .crash: showOriginal(arrival, content, .extensionCrash, at: now, &effects)
        case .firebase:
            guard let url = spec.imageKey.map({ content.links[$0] }) ?? content.image else {
                explainMissingImage(of: arrival.push, content, .imageIgnored, &effects)
                return finish(arrival, content, text, at: now, &effects)
            }
            guard !url.isEmpty, !url.utf8.contains(where: { $0 <= 0x20 }) else {
                let fault = "20000: The Image URL provided is invalid"
                emit(
                    .attachment, arrival.push, .attachmentURL,
                    [("url", .string(url)), ("outcome", .string("failed")), ("message", .string(fault))], &effects)
                return finish(arrival, content, text, at: now, &effects)
            }
            fetch(url, for: extensionJob(arrival, text, at: now), at: now, &effects)
        case .adobe:
            // Adobe's sample never calls back if there is no URL, and a URL without a path crashes it.
            guard let url = spec.imageKey.map({ content.links[$0] }) ?? content.media, !url.isEmpty else {
                return startTimedJob(arrival, text, Self.timeLimit, at: now, &effects)
            }
            // A file with the same name from an earlier push crashes it too.
            let file = MediaFile(url)
            guard file.hasName, !phone.movedFiles.contains(String(file.name)) else {
                return showOriginal(arrival, content, .extensionCrash, at: now, &effects)
            }
            fetch(url, for: extensionJob(arrival, text, at: now), at: now, &effects)
        case .slow: startTimedJob(arrival, text, min(spec.seconds * 1000, Self.timeLimit), at: now, &effects)
        case .remote: startTimedJob(arrival, text, Self.timeLimit, at: now, &effects)
        }
    }

    /// Shows the pushes whose jobs are due.
    mutating func finishJobs(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        while let index = phone.jobs.firstIndex(where: { $0.due <= now }) {
            if phone.jobs[index].isFetching { endFetch(index, .timedOut, at: now) }
            let job = phone.jobs.remove(at: index)
            if let report = job.report {
                effects.append(.event(report.kind, push: job.arrival.push, why: report.why, report.detail))
            }
            switch job.arrival.content {
            case .apple(let content):
                if job.isLate || job.due.milliseconds - job.started.milliseconds >= Self.timeLimit {
                    showOriginal(job.arrival, content, .extensionTimeout, at: now, &effects)
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
        case .crash: showOriginal(job.arrival, content, .extensionCrash, at: now, &effects)
        case .timeout: showOriginal(job.arrival, content, .extensionTimeout, at: now, &effects)
        case .content(let title, let subtitle, let body):
            var text = localized(content) ?? content.text
            if let title { text.title = title }
            if let subtitle { text.subtitle = subtitle }
            if let body { text.body = body }
            finish(job.arrival, content, text, at: now, &effects)
        }
    }

    /// Whether a `remote` extension is working on that push.
    func awaitsExtension(for push: PushID) -> Bool {
        phone.spec.extension.script == .remote && phone.jobs.contains { $0.arrival.push == push }
    }

    func emit(
        _ kind: Event.Kind, _ push: PushID, _ why: PhoneRule, _ fields: [(String, JSONScalar)],
        _ effects: inout [DeviceEffect]
    ) {
        effects.append(.event(kind, push: push, why: why, .fields(fields)))
    }

    /// Adds a job. If there are too many, the oldest is finished now.
    mutating func addJob(_ job: Phone.Job, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        if phone.jobs.count >= Phone.jobLimit {
            if phone.jobs[0].isFetching { endFetch(0, .skipped(Phone.tooManyJobs), at: now) }
            phone.jobs[0].due = now
            finishJobs(at: now, &effects)
        }
        phone.jobs.append(job)
    }

    private mutating func startTimedJob(
        _ arrival: Arrival, _ text: NotificationText, _ milliseconds: Int64, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        addJob(Phone.Job(arrival: arrival, started: now, due: now + milliseconds, text: text), at: now, &effects)
        effects.append(.wake(now + milliseconds))
    }

    private func extensionJob(_ arrival: Arrival, _ text: NotificationText, at now: Timestamp) -> Phone.Job {
        Phone.Job(arrival: arrival, started: now, due: now + Self.timeLimit, text: text)
    }

    /// The extension called back in time. Content without text is rejected.
    private mutating func finish(
        _ arrival: Arrival, _ content: AppleContent, _ text: NotificationText, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        guard !text.isEmpty else { return showOriginal(arrival, content, .extensionEmpty, at: now, &effects) }
        emit(.extension, arrival.push, .extensionRan, [("phase", .string("finished"))], &effects)
        present(arrival, content, text, at: now, &effects)
    }

    /// Shows the push as it arrived, because the extension failed.
    private mutating func showOriginal(
        _ arrival: Arrival, _ content: AppleContent, _ why: PhoneRule, at now: Timestamp,
        _ effects: inout [DeviceEffect]
    ) {
        emit(.extension, arrival.push, why, [("phase", .string("original"))], &effects)
        present(arrival, content, at: now, &effects)
    }
}
