internal import PushCore

/// Files that are fetched for a notification: attachments on iOS (docs/evidence/device.md §2.3(3)) and images on
/// Android (docs/evidence/device.md §3.3).
extension Device {
    /// Handles the result of a fetch. A file with a delay counts as received when the delay has passed.
    mutating func mediaArrived(_ push: PushID, _ media: Media?, at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard let index = phone.jobs.lastIndex(where: { $0.arrival.push == push && $0.isFetching }) else { return }
        phone.jobs[index].isFetching = false
        let job = phone.jobs[index]
        let (report, isUsable, delay) = result(of: media, for: job)
        if media != nil, report.why != .mediaInClearText, phone.spec.extension.script == .adobe {
            rememberFile(job.text.image ?? "")
        }
        // A file that arrives after the extension's time limit is not reported.
        phone.jobs[index].report = now + delay < job.due || platform != .ios ? report : nil
        if !isUsable { phone.jobs[index].text.image = nil }
        phone.jobs[index] = phone.jobs[index].withDue(now + min(delay, job.due.milliseconds - now.milliseconds))
        if delay == 0 { finishJobs(at: now, &effects) } else { effects.append(.wake(phone.jobs[index].due)) }
    }

    private mutating func rememberFile(_ url: String) {
        if phone.movedFiles.count >= Phone.recentLimit { phone.movedFiles.removeFirst() }
        phone.movedFiles.append(String(MediaFile(url).name))
    }

    /// The event to report for a file, whether the file can be shown, and how long the fetch takes.
    private func result(of media: Media?, for job: Phone.Job) -> (
        report: Phone.Job.Report, isUsable: Bool, delay: Int64
    ) {
        let url = job.text.image ?? ""
        func report(_ why: PhoneRule, _ outcome: String, _ message: String? = nil) -> Phone.Job.Report {
            var fields: [(String, JSONScalar)] = [("url", .string(url)), ("outcome", .string(outcome))]
            if let message { fields.append(("message", .string(message))) }
            return Phone.Job.Report(kind: .attachment, why: why, detail: .fields(fields))
        }
        if MediaURL.needsException(url), !phone.spec.app.allowsHTTP {
            return (report(.mediaInClearText, "failed", platform.refusalOfHTTP), false, 0)
        }
        guard let media else { return (report(.mediaSkipped, "skipped"), false, 0) }
        if platform == .android {
            if media.delay > Self.imageTimeLimit {
                return (report(.androidImageSlow, "failed"), false, Self.imageTimeLimit)
            }
            if let message = AndroidImage.fault(of: media) {
                return (report(.androidImageFailed, "failed", message), false, media.delay)
            }
            return (report(.androidImage, "shown"), true, media.delay)
        }
        switch MediaFile(url).fault(of: media, guessesType: phone.spec.extension.script == .firebase) {
        case .type:
            return (report(.attachmentType, "failed", "20003: not a type that attachments accept"), false, media.delay)
        case .size: return (report(.attachmentSize, "failed", "20003: too large"), false, media.delay)
        case .content:
            return (
                report(.attachmentContent, "failed", "20003: the content does not match the type"), false, media.delay
            )
        case nil: return (report(.attached, "attached"), true, media.delay)
        }
    }

    /// The time in milliseconds that Firebase's Android code gives an image.
    private static let imageTimeLimit: Int64 = 5000
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
