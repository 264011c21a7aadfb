/// What to write and to run so that a browser gets its pushes from a gateway.
package struct BrowserPlan: Sendable {
    /// The arguments after the program.
    package let arguments: [String]
    /// The files in the profile, to be written before each start.
    package let files: [File]

    package struct File: Sendable {
        /// Its directory in the profile; nil for the profile itself.
        package let directory: String?
        package let name: String
        package let bytes: [UInt8]

        init(_ name: String, in directory: String? = nil, _ bytes: [UInt8]) {
            self.name = name
            self.directory = directory
            self.bytes = bytes
        }

        /// In the profile.
        package var path: String { directory.map { "\($0)/\(name)" } ?? name }
    }

    /// The path of a file in the profile, and why it can't be changed.
    package struct Problem: Error, Equatable {
        package let path: String
        package let reason: String
    }

    /// - Parameter read: returns a file of the profile; nil if it does not exist.
    package init(_ browser: Browser, _ setup: BrowserSetup, read: (String) -> [UInt8]?) throws(Problem) {
        switch browser {
        case .chromium:
            let (plan, path) = (ChromiumPlan(setup: setup), "Default/Preferences")
            arguments = plan.arguments
            do throws(ProfileProblem) {
                files = [File("Preferences", in: "Default", try plan.preferences(changing: read(path)))]
            } catch { throw Problem(path: path, reason: error.reason) }
        case .firefox:
            let (plan, name) = (FirefoxPlan(setup: setup), "user.js")
            arguments = plan.arguments
            let exceptions = plan.certificateOverride.map { File("cert_override.txt", $0) }
            let waiting = plan.waiting.map { File(FirefoxPlan.waitingPage, $0) }
            files = [File(name, plan.userFile(changing: read(name))), exceptions, waiting].compactMap(\.self)
        }
    }
}
