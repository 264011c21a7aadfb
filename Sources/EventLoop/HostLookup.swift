internal import Glibc
internal import Threads

/// Looks up host names on separate threads, because a look-up may block for a long time. Unlike with `offload`, the
/// loop can end meanwhile.
package final class HostLookup {
    package typealias Found = Result<[SocketAddress], SocketAddress.LookupFailure>

    private struct Answer: Sendable {
        let number: Int
        let found: Found
    }

    private var mailbox: Mailbox<Answer>?
    private var lastNumber = 0
    /// Look-ups that wait for a thread, oldest first.
    private var waiting: [(text: String, done: (Found) -> Void)] = []
    /// Look-ups that have a thread, by their numbers.
    private var running: [Int: (Found) -> Void] = [:]
    private static let maxThreads = 4

    package init(on loop: EventLoop) throws(LoopError) {
        mailbox = try Mailbox(on: loop) { [unowned self] answer in
            running.removeValue(forKey: answer.number)?(answer.found)
            startWaiting()
        }
    }

    /// Finds the addresses of a text such as `example.com:443`: at least one, and first those of IPv4.
    package func find(_ text: String, then done: @escaping (Found) -> Void) {
        waiting.append((text, done))
        startWaiting()
    }

    /// Ends without an answer to the look-ups that are not done.
    package func close() {
        mailbox?.close()
        mailbox = nil
        (waiting, running) = ([], [:])
    }

    private func startWaiting() {
        while let mailbox, running.count < Self.maxThreads, !waiting.isEmpty {
            let (text, done) = waiting.removeFirst()
            lastNumber += 1
            running[lastNumber] = done
            let work: @Sendable () -> Void = { [number = lastNumber] in
                do throws(SocketAddress.LookupFailure) {
                    let addresses = try SocketAddress.all(lookingUp: text)
                    mailbox.send(Answer(number: number, found: .success(addresses)))
                } catch { mailbox.send(Answer(number: number, found: .failure(error))) }
            }
            // Without a thread, the loop waits for the answer.
            if !NewThread.detach(work) { work() }
        }
    }
}

@available(*, unavailable) extension HostLookup: Sendable {}
