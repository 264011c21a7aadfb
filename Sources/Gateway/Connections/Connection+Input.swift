internal import HTTPCore
internal import Platform

/// Passing input to the protocol, in as many turns as it needs.
extension Connection {
    func handle(_ bytes: Span<UInt8>) {
        guard lifecycle.readsInput else { return }
        switch layer {
        case .sniffing(let seen): return sniff(seen, bytes)
        case .held(let held): return hold(bytes, after: held)
        case .opening, .handshaking, .http1, .http2, .webSocket, .relay, .mcs: break
        }
        if hasDeferredInput { return unread.append(addingCapacity: bytes.count) { $0.append(bytes) } }
        guard let channel = layer.channel else { return }
        let taken = channel.receive(bytes)
        guard taken < bytes.count || layer.channel?.hasEvents == true else { return }
        let rest = bytes.extracting(taken...)
        unread.append(addingCapacity: rest.count) { $0.append(rest) }
        waitForTurn()
    }

    /// Reads nothing until the gateway calls `continueInput()`. A full channel needs room first.
    func waitForTurn() {
        hasDeferredInput = true
        transport.stopReading()
        waitsForRoom = layer.channel?.isFull == true
        guard !waitsForRoom else { return }
        gateway.deferredInput.append(id)
        gateway.scheduleMore?()
    }

    /// Processes the input that was kept, or a part of it.
    func continueInput() {
        let bytes = unread
        let (begin, began) = (processed, gateway.turn.lastLook)
        (unread, processed, hasDeferredInput, waitsForWork) = ([], 0, false, false)
        let work = gateway.waitingWork
        gateway.clock.tick()
        if case .opening = layer {
            receiveInTunnel(bytes.span)
        } else if lifecycle.readsInput, let channel = layer.channel {
            let taken = channel.receive(bytes.span.extracting(begin...))
            if begin + taken < bytes.count || layer.channel?.hasEvents == true {
                (unread, processed) = (bytes, begin + taken)
                waitForTurn()
            }
        }
        flush()
        applyTermination()
        waitForWork(since: work)
        resumeReading()
        spendTime(since: began)
    }

    /// Stops reading this connection if there is a backlog and its input has added more than `muchWork` pieces of work.
    /// `before` is how many pieces waited before the input was processed. Other connections are still read.
    func waitForWork(since before: Int) {
        guard gateway.isBacklogged, gateway.waitingWork - before > Self.muchWork, lifecycle.readsInput else { return }
        waitsForWork = true
        if !hasDeferredInput { waitForTurn() }
    }

    /// How many pieces of work one read may add. If it adds more, and there is a backlog, the connection has to wait.
    private static let muchWork = 64

    /// Subtracts the time since `began` from the connection's budget. Ends the connection if its input has taken too
    /// long for the requests that it has completed.
    func spendTime(since began: UInt64) {
        let time = gateway.turn.look() &- began
        spent.now &+= time
        if hasReadAll, !hasDeferredInput { spent = (0, spent.now) }
        guard !workBudget.spend(time, at: gateway.loopNow), lifecycle.readsInput, let channel = layer.channel else {
            return
        }
        gateway.log(
            .warning, "connection ended", at: gateway.clock.now,
            ["because": "its input takes much time but completes few requests"])
        channel.endForAbuse("too much work for too few requests")
        flush()
    }
}
