/// Decides what happens to a report or to events after an attempt to deliver them.
struct DeliveryRule: Sendable {
    /// The statuses that mean that the request has arrived.
    let success: ClosedRange<Int>
    /// Whether a request is sent again after an answer with this status.
    let repeats: @Sendable (Int) -> Bool
    /// The pauses before each further attempt, in milliseconds.
    let pauses: [UInt64]

    enum Next: Equatable {
        case delivered
        case again(after: UInt64, because: String)
        case giveUp(String)
    }

    /// - Parameter attempts: how many attempts there were, including this one.
    func next(after outcome: Result<HTTPAnswer, HTTPFailure>, attempts: Int) -> Next {
        let (mayRepeat, reason): (Bool, String)
        switch outcome {
        case .success(let answer):
            if success.contains(answer.status) { return .delivered }
            (mayRepeat, reason) = (repeats(answer.status), "the answer has the status \(answer.status)")
        case .failure(let failure): (mayRepeat, reason) = (failure.isTransient, failure.sentence)
        }
        guard mayRepeat, attempts <= pauses.count else { return .giveUp(reason) }
        return .again(after: pauses[attempts - 1], because: reason)
    }
}

extension HTTPFailure {
    /// Whether a second attempt could succeed.
    var isTransient: Bool {
        switch self {
        case .unknownHost, .unreachable, .late, .broken: true
        case .refused, .unusableURL, .namesUser, .noLibrary: false
        }
    }

    var sentence: String {
        switch self {
        case .refused(let refusal): "the URL's host \(refusal.reason)"
        case .unknownHost(let reason): "the URL \(reason)"
        case .unreachable: "cannot connect to the URL's host"
        case .broken(let problem), .noLibrary(let problem): problem
        case .late: "there was no answer in time"
        case .unusableURL: "the URL is not a usable http or https URL"
        case .namesUser: "the URL contains a user name"
        }
    }
}
