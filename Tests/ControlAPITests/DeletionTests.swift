import HTTPCore
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `DELETE /messages` while other calls wait.
struct DeletionTests {
    private let host = TestHost()

    @Test func `a deletion does not wait until expectations are compared with pushes that came after it`() throws {
        host.push()
        guard case .deferred(.expect(let waiting)) = host.reply(.post, "/expect", raw: [UInt8](#"{"count":9999}"#.utf8))
        else { throw Unexpected("it is answered at once") }
        let target = ReplyTarget(connection: .init(slot: 1, generation: 1), stream: nil)
        host.box.engine.expectations.add(waiting, target, at: 0)
        host.looksPerTurn = 1
        let request = TestHost.request(.delete, ControlAPI.root + "/messages", [], [])
        guard case .deferred(.query(let query)) = ControlAPI.reply(to: request, host) else {
            throw Unexpected("it is answered at once")
        }
        // Each turn brings more events than it compares.
        var answer: ControlAPI.Reply?
        for _ in 0..<100 where answer == nil {
            for _ in 0..<3 { host.push() }
            answer = query.advance(host)
        }
        guard case .answer(let response) = answer else { throw Unexpected("the deletion waits") }
        #expect(response.status == 200)
    }
}
