/// What becomes of a report after an attempt to deliver it.
struct DeliveryRule: Sendable {
    /// Statuses that mean that the report has arrived.
    let success: ClosedRange<Int>
    /// Whether a report that was answered with this status is sent again.
    let repeats: @Sendable (Int) -> Bool
    /// The pauses before each further attempt, in milliseconds.
    let pauses: [UInt64]

    enum Next: Equatable {
        case delivered
        case again(after: UInt64, because: String)
        case giveUp(String)
    }

    /// - Parameter attempts: how many attempts there were, with this one.
    func next(after outcome: Result<HTTPAnswer, HTTPFailure>, attempts: Int) -> Next {
        let (mayRepeat, reason): (Bool, String)
        switch outcome {
        case .success(let answer):
            if success.contains(answer.status) { return .delivered }
            (mayRepeat, reason) = (repeats(answer.status), "the answer has the status \(answer.status)")
        case .failure(let failure): (mayRepeat, reason) = (failure.mayPass, failure.sentence)
        }
        guard mayRepeat, attempts <= pauses.count else { return .giveUp(reason) }
        return .again(after: pauses[attempts - 1], because: reason)
    }
}

extension HTTPFailure {
    /// Whether a second attempt could succeed.
    var mayPass: Bool {
        switch self {
        case .unknownHost, .unreachable, .late, .broken: true
        case .refused, .unusableURL, .namesUser, .noLibrary: false
        }
    }

    var sentence: String {
        switch self {
        case .refused(let refusal): "the address \(refusal.reason)"
        case .unknownHost(let reason): "the URL \(reason)"
        case .unreachable: "there is no connection to the URL"
        case .broken(let problem), .noLibrary(let problem): problem
        case .late: "there was no answer in time"
        case .unusableURL: "the URL is no usable http or https URL"
        case .namesUser: "the URL contains a user name"
        }
    }
}
