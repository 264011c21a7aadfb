import HTTPCore
import PushCore
import PushEngine

@testable import Gateway
@testable import PushpitTesting

/// What has to hold, whatever a script does.
extension CallPlay {
    func demandLimits() {
        demand(
            gateway.events.count <= logCapacity + logCapacity / 5 + 1,
            "\(gateway.events.count) events are kept, with a limit of \(logCapacity)")
    }

    func finish() {
        settle()
        demandServed()
        demandAnswers()
        for index in clients.indices { drop(index) }
        test.shutDown()
        pass(milliseconds: 2000)
        demand(gateway.openConnections == 0, "\(gateway.openConnections) connections are left")
        demand(gateway.bodyBudget.take(bodyMemory), "bytes of bodies are not given back")
        demand(gateway.queries.isEmpty, "calls are left")
        demand(gateway.streams.isEmpty, "event streams are left")
        demand(gateway.box.engine.expectations.isEmpty, "expectations are left")
        demand(gateway.replays.running.isEmpty && gateway.replays.paused.isEmpty, "replays are left")
    }

    /// Lets everything happen that can happen.
    func settle() {
        host.takesTurnsManually = false
        for client in clients {
            switch client {
            case .http(let connection): connection.isReading = true
            case .phone(let phone): phone.isReading = true
            case nil: break
            }
        }
        for _ in 0..<3 {
            disk?.recover(host)
            pass(milliseconds: 1000)
        }
        disk?.recover(host)
    }

    func demandServed() {
        do {
            let connection = try test.connect(over: .http1)
            let status = try connection.send("GET", "/livez").status
            demand(status == 200, "/livez answered \(status)")
            connection.close()
        } catch { demand(false, "/livez is not answered: \(error)") }
    }

    func demandAnswers() {
        guard let list = try? test.connect(over: .http1) else { return }
        defer { list.close() }
        var checked = 0
        for one in sent {
            guard let answer = try? one.call.answerSoFar() else { continue }
            demand(!one.isControl || answer.status != 500, "500 to a call: \(answer.text)")
            guard one.isPush, answer.status == 200, keepsPushes, checked < 8, let query = query(for: answer) else {
                continue
            }
            checked += 1
            let found = try? list.send("GET", "/api/v1/messages?\(query)")
            demand(found?.json["messages"].array.isEmpty == false, "\(query) is not in \(found?.text ?? "nothing")")
        }
    }

    /// How the list is asked for a push with that answer; nil if it is not kept.
    func query(for answer: TestResponse) -> String? {
        if let id = answer["apns-id"] { return "apnsId=\(id)" }
        guard let name = answer.json["name"].string, !name.hasSuffix("/fake_message_id") else { return nil }
        return "name=\(name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25"))"
    }
}
