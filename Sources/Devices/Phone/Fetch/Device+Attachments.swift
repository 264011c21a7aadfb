internal import PushCore

/// Files that are fetched for a notification: attachments on iOS (docs/evidence/device.md §2.3(3)) and images on
/// Android (docs/evidence/device.md §3.3).
extension Device {
    /// Adds a job that waits for the file at `url`, and fetches the file unless the system forbids it.
    mutating func fetch(_ url: String, for job: Phone.Job, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        var job = job
        job.text.image = url
        job.isFetching = true
        addJob(job, at: now, &effects)
        let allowsHTTP = phone.spec.app.allowsHTTP
        if MediaURL.needsException(url), !allowsHTTP {
            return mediaArrived(job.arrival.push, .inClearText, at: now, &effects)
        }
        var request = FetchRequest(url: url, patience: job.due.milliseconds - now.milliseconds)
        request.longest = platform == .android ? AndroidImage.longest : MediaFile(url).longest
        request.allowsHTTP = allowsHTTP
        // Android's HttpURLConnection follows no redirect to the other scheme (assumed).
        request.changesScheme = platform != .android
        effects.append(.fetch(job.arrival.push, request))
    }

    /// Handles the result of a fetch. A file with a delay counts as received when the delay has passed.
    mutating func mediaArrived(
        _ push: PushID, _ result: FetchResult, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) {
        guard let index = phone.jobs.lastIndex(where: { $0.arrival.push == push && $0.isFetching }) else { return }
        endFetch(index, result, at: now)
        if phone.jobs[index].due > now {
            effects.append(.wake(phone.jobs[index].due))
        } else {
            finishJobs(at: now, &effects)
        }
    }

    /// Notes the result of a fetch in its job.
    mutating func endFetch(_ index: Int, _ result: FetchResult, at now: Timestamp) {
        phone.jobs[index].isFetching = false
        let job = phone.jobs[index]
        let outcome = outcome(of: result, for: job)
        if case .received = result, phone.spec.extension.script == .adobe { rememberFile(job.text.image ?? "") }
        if case .timedOut = result { phone.jobs[index].isLate = true }
        // A file that arrives after the extension's time limit is not reported.
        let isTooLate = platform == .ios && (phone.jobs[index].isLate || now + outcome.delay >= job.due)
        phone.jobs[index].report = isTooLate ? nil : outcome.report
        if !outcome.isUsable { phone.jobs[index].text.image = nil }
        phone.jobs[index].due = min(job.due, now + outcome.delay)
    }

    private mutating func rememberFile(_ url: String) {
        if phone.movedFiles.count >= Phone.recentLimit { phone.movedFiles.removeFirst() }
        phone.movedFiles.append(String(MediaFile(url).name))
    }

    private struct FetchOutcome {
        let report: Phone.Job.Report
        /// Whether the file can be shown.
        var isUsable = false
        /// How long the fetch takes, in milliseconds.
        var delay: Int64 = 0
    }

    private func outcome(of result: FetchResult, for job: Phone.Job) -> FetchOutcome {
        func report(_ why: PhoneRule, _ outcome: String, _ message: String? = nil, _ media: Media? = nil)
            -> Phone.Job.Report
        {
            var fields: [(String, JSONScalar)] = [
                ("url", .string(job.text.image ?? "")), ("outcome", .string(outcome)),
            ]
            if let message { fields.append(("message", .string(message))) }
            if let media {
                fields += [
                    ("status", .int(Int64(media.status))), ("contentType", .string(media.contentType)),
                    ("size", .int(Int64(media.size))),
                ]
            }
            return Phone.Job.Report(kind: .attachment, why: why, detail: .fields(fields))
        }
        switch result {
        case .inClearText: return FetchOutcome(report: report(.mediaInClearText, "failed", platform.refusalOfHTTP))
        case .skipped(let message): return FetchOutcome(report: report(.mediaSkipped, "skipped", message))
        case .failed(let cause):
            return FetchOutcome(report: report(.mediaFailed, "failed", failureMessage(cause)))
        // On iOS, this is not reported: the extension's time is up.
        case .timedOut: return FetchOutcome(report: report(.androidImageSlow, "failed"))
        case .received(let media):
            if platform == .android, media.delay > AndroidImage.patience {
                return FetchOutcome(report: report(.androidImageSlow, "failed"), delay: AndroidImage.patience)
            }
            let (why, message) = verdict(on: media, for: job)
            let isUsable = message == nil
            let word = isUsable ? (platform == .android ? "shown" : "attached") : "failed"
            return FetchOutcome(report: report(why, word, message, media), isUsable: isUsable, delay: media.delay)
        }
    }

    /// The rule for a file that was received, and what the phone logs if it can't show the file.
    private func verdict(on media: Media, for job: Phone.Job) -> (why: PhoneRule, message: String?) {
        if platform == .android {
            guard let message = AndroidImage.fault(of: media) else { return (.androidImage, nil) }
            return (.androidImageFailed, message)
        }
        let guessesType = phone.spec.extension.script == .firebase
        switch MediaFile(job.text.image ?? "").fault(of: media, guessesType: guessesType) {
        case .type: return (.attachmentType, "20003: not a type that attachments accept")
        case .size: return (.attachmentSize, "20003: too large")
        case .content: return (.attachmentContent, "20003: the content does not match the type")
        case nil: return (.attached, nil)
        }
    }

    /// What the app's code logs if there is no answer.
    private func failureMessage(_ cause: String) -> String {
        if platform == .android { return "Failed to download image: \(cause)" }
        return phone.spec.extension.script == .firebase ? "20001: Failed to download image given URL: \(cause)" : cause
    }
}

extension Device.Platform {
    /// What the system logs when an app may not fetch over http (assumed).
    fileprivate var refusalOfHTTP: String {
        switch self {
        case .ios: "App Transport Security requires the use of a secure connection"
        case .android, .web: "Cleartext HTTP traffic not permitted"
        }
    }
}
