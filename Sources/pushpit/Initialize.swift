internal import Credentials
internal import EventLoop
internal import Gateway

/// `pushpit init`: creates missing keys and certificates, and lists all of them.
enum Initialize {
    static func run(_ options: Options) throws(ExitFailure) {
        let directory = try options.text("certs") ?? "certs"
        let needs = try CredentialOptions.needs(options)
        let credentials: Credentials
        do throws(Credentials.Problem) {
            credentials = try Credentials.prepare(in: directory, for: needs, now: EventLoop.wallClock / 1000)
        } catch {
            throw .badConfiguration(error.description)
        }
        for (file, purpose) in credentials.filePurposes {
            guard credentials.has(file) else { continue }
            printLine("\(credentials.made.contains(file) ? "made" : "kept")  \(credentials.path(file))  \(purpose)")
        }
        if let notice = credentials.notice { printOutput(notice + "\n") }
    }
}
