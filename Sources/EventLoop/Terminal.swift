internal import CUV
internal import Glibc

/// The keyboard, read key by key where it is one.
package final class Terminal {
    /// What to wait for; nil once nothing more comes.
    package var descriptor: Int32? { isOver ? nil : 0 }
    private var before = termios()
    private let isKeyboard: Bool
    /// Nothing more comes.
    private var isOver = false

    package init() {
        isKeyboard = isatty(0) == 1
        guard isKeyboard, unsafe tcgetattr(0, &before) == 0 else { return }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe tcsetattr(0, TCSANOW, &raw)
    }

    /// As it was found.
    package func restore() {
        guard isKeyboard else { return }
        unsafe tcsetattr(0, TCSANOW, &before)
    }

    /// What was pressed; nil where nobody is there to press any more.
    package func keys() -> [Character]? {
        var octets = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(0, &octets, octets.count)
        guard count > 0 else {
            isOver = true
            return nil
        }
        return Array(String(decoding: octets.prefix(count), as: UTF8.self))
    }
}
