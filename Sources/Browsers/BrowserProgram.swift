internal import PushCore

/// The program of a browser.
package struct BrowserProgram: Equatable, Sendable {
    package let path: String
    /// The name of the snap that the program is in; nil if it is not in a snap. A snap can't see /tmp.
    package let snap: String?

    /// How many bytes of a program show whether it is a script that starts a snap.
    package static let headSize = 4096

    /// - Parameter head: the first bytes of the file.
    package init(path: String, head: [UInt8], of browser: Browser) {
        self.path = path
        let script = head.starts(with: "#!".utf8) ? String(decoding: head, as: UTF8.self) : ""
        snap = path.hasPrefix("/snap/") || script.includes("/snap/bin/") ? browser.rawValue : nil
    }

    /// Looks in the directories of PATH.
    ///
    /// - Parameter head: returns the first bytes of an executable file; nil if the file is not executable.
    package static func find(_ browser: Browser, in path: String, head: (String) -> [UInt8]?) -> BrowserProgram? {
        let directories = path.split(separator: ":")
        for name in browser.programs {
            for directory in directories {
                let file = "\(directory)/\(name)"
                if let head = head(file) { return BrowserProgram(path: file, head: head, of: browser) }
            }
        }
        return nil
    }

    /// The error if it is not installed.
    package static func missing(_ browser: Browser) -> String {
        "no directory in PATH has \(browser.name) (\(browser.programs.joined(separator: ", "))): install it, on Debian with "
            + "'apt-get install \(browser.debianPackage)', or name its program with --program"
    }

    /// Where a temporary profile has to be.
    package func parent(home: String?, temporary: String) -> String {
        guard let snap, let home else { return temporary }
        return "\(home)/snap/\(snap)/common"
    }
}
