internal import CUV
internal import Glibc

/// Standard input, read key by key if it is a terminal.
package final class Terminal {
    /// The descriptor to wait for; nil after the end of the input.
    package var descriptor: Int32? { isAtEnd ? nil : 0 }
    /// The settings to restore.
    private var original = termios()
    private let isTerminal: Bool
    private var isAtEnd = false

    /// Turns line editing and echo off.
    package init() {
        isTerminal = isatty(0) == 1
        guard isTerminal, unsafe tcgetattr(0, &original) == 0 else { return }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe tcsetattr(0, TCSANOW, &raw)
    }

    /// Restores the original settings.
    package func restore() {
        guard isTerminal else { return }
        unsafe tcsetattr(0, TCSANOW, &original)
    }

    /// Waits for input and returns the keys that were pressed; nil at the end of the input.
    package func keys() -> [Character]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(0, &bytes, bytes.count)
        guard count > 0 else {
            isAtEnd = true
            return nil
        }
        return Array(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
}
