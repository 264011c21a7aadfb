internal import CCurl
internal import EventLoop
internal import TLS

/// libcurl. It can't be linked statically, so it is loaded when the gateway sends something for the first time.
enum CurlLibrary {
    /// Loads the library. Returns what is wrong and what to do, as a sentence; nil if the library can be used.
    static func problem() -> String? {
        // If libcurl started OpenSSL first, OpenSSL would be cleaned up at the end of the process, while threads that make
        // keys still use it.
        guard TLSLibrary.isStarted else { return "OpenSSL can't be started" }
        var text = [CChar](repeating: 0, count: 256)
        guard unsafe !ccurl_load(&text, text.count) else { return nil }
        let cause = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "libcurl can't be used (\(cause)): install libcurl4 (Debian, Ubuntu) or libcurl (Fedora, Alpine)"
    }

    /// Loads the library on another thread, because that takes some milliseconds.
    static func load(on loop: EventLoop, then done: @escaping (String?) -> Void) {
        do throws(LoopError) {
            try loop.offload({ Problem(text: problem()) }, then: { done($0.text) })
        } catch { done(problem()) }
    }

    private struct Problem: Sendable {
        let text: String?
    }
}
