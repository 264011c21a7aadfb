@testable import PushpitTesting

/// The clients of a script. They connect when they are used first, and again when their connection has ended.
extension CallPlay {
    func connection(_ index: Int) -> TestConnection? {
        if case .http(let connection)? = clients[index] {
            if !connection.pipeIsEnded { return connection }
            drop(index)
        }
        let role: TestRole = [.any, .apns, .any, .fcm][index]
        guard let connection = try? test.connect(to: role, over: index < 2 ? .http2 : .http1) else { return nil }
        clients[index] = .http(connection)
        return connection
    }

    func phone(_ index: Int) -> TestPhone? {
        if case .phone(let phone)? = clients[index] {
            if !phone.isEnded { return phone }
            drop(index)
        }
        let isManual = host.takesTurnsManually
        host.takesTurnsManually = false
        defer { host.takesTurnsManually = isManual }
        // A gateway that waits for its disk opens none.
        guard let phone = try? test.socket() else { return nil }
        clients[index] = .phone(phone)
        return phone
    }

    func drop(_ index: Int) {
        switch clients[index] {
        case .http(let connection): connection.close()
        case .phone(let phone): phone.dropConnection()
        case nil: break
        }
        clients[index] = nil
        odd.remove(index)
    }

    /// Demands that what the gateway sends is understood, unless the script has broken the connection.
    func attempt(_ index: Int, _ body: () throws -> Void) {
        do { try body() } catch let failure as TestFailure {
            demand(failure.cause != .badBytes || odd.contains(index) || !isFaultless, "\(failure)")
        } catch {}
    }
}
