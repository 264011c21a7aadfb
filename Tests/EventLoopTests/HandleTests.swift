import EventLoop
import Glibc
import Testing

/// What all handles have in common.
@Suite struct HandleTests {
    private final class Witness {}

    enum Kind: CaseIterable {
        case timer, idle, signal, listener, mailbox, socketWatch

        /// Opens a handle whose callback holds an object. Returns how to close it.
        func open(on loop: EventLoop, holding object: AnyObject) throws -> () -> Void {
            switch self {
            case .timer: return try LoopTimer(on: loop) { _ = object }.close
            case .idle:
                return try LoopIdle(on: loop) {
                    _ = object
                    return false
                }.close
            case .signal: return try SignalWatch(.hangUp, on: loop) { _ = object }.close
            case .listener:
                let listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
                listener.accepted = { _ in _ = object }
                return listener.close
            case .socketWatch:
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                let watch = try SocketWatch(descriptor, on: loop) { _ in _ = object }
                watch.start(for: .readable)
                return {
                    watch.close()
                    Glibc.close(descriptor)
                }
            case .mailbox: return try Mailbox<Int>(on: loop) { _ in _ = object }.close
            }
        }
    }

    @Test(arguments: Kind.allCases) func `a closed handle releases what its callback holds`(kind: Kind) throws {
        let loop = try EventLoop()
        var witness: Witness? = Witness()
        weak let observed = witness
        let close = try kind.open(on: loop, holding: try #require(witness))
        witness = nil
        #expect(observed != nil)
        close()
        #expect(observed == nil)
        #expect(loop.close())
    }
}
