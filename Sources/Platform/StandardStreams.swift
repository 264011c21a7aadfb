internal import Glibc

/// Standard input, output and error.
package enum StandardStreams {
    /// Whether standard error is a terminal, and the user wants colours there (https://no-color.org).
    package static var errorHasColors: Bool {
        guard isatty(2) == 1 else { return false }
        let (off, terminal) = unsafe (getenv("NO_COLOR"), getenv("TERM"))
        guard unsafe off.map({ unsafe $0.pointee == 0 }) ?? true, let terminal = unsafe terminal else { return false }
        return unsafe String(cString: terminal) != "dumb"
    }

    /// Opens /dev/null for each of them that is closed. Otherwise the first sockets would get their numbers, and libuv
    /// ends the process when it closes one of these.
    package static func open() {
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is used, and the lower ones are open.
            _ = unsafe Glibc.open("/dev/null", O_RDWR)
        }
    }
}
