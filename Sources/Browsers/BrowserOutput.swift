internal import PushCore

/// What a browser prints: the address of its remote control, and its last lines, which explain a failure.
package struct BrowserOutput: Sendable {
    private let browser: Browser
    /// A line whose end has not arrived.
    private var unfinished: [UInt8] = []
    /// The last lines, the newest at the end.
    package private(set) var lines: [String] = []
    package private(set) var address: RemoteAddress?

    private static let mostLines = 40
    /// The rest of a longer line is dropped.
    private static let longestLine = 1024

    package init(of browser: Browser) { self.browser = browser }

    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                take(String(decoding: unfinished, as: UTF8.self))
                unfinished.removeAll(keepingCapacity: true)
            } else if unfinished.count < Self.longestLine {
                unfinished.append(byte)
            }
        }
    }

    private mutating func take(_ line: String) {
        if address == nil, line.hasPrefix(browser.announcement) {
            address = RemoteAddress(browser, announced: line.dropFirst(browser.announcement.count))
        }
        lines.append(line)
        lines = lines.suffix(Self.mostLines)
    }
}
