internal import PushCore

/// Input that did not fit into the turn in which it arrived.
extension Gateway {
    /// Lets connections process the input that they have kept: first the usual ones, then at least one costly one.
    func continueInput() {
        var waiting = deferredInput[...]
        var held: [ConnectionID] = []
        deferredInput = []
        while !turn.isOver, let id = waiting.popFirst() {
            guard let connection = connections[id] else { continue }
            if connection.isCostly {
                costlyDeferredInput.append(id)
            } else if connection.waitsForWork, isBacklogged {
                held.append(id)
            } else {
                connection.continueInput()
            }
        }
        // The connections that have waited longest come first in the next turn.
        deferredInput.insert(contentsOf: held + waiting, at: 0)
        continueCostlyInput()
    }

    private func continueCostlyInput() {
        var waiting = costlyDeferredInput[...]
        var held: [ConnectionID] = []
        costlyDeferredInput = []
        while let id = waiting.popFirst() {
            guard let connection = connections[id] else { continue }
            if connection.waitsForWork, isBacklogged {
                held.append(id)
            } else {
                connection.continueInput()
                if turn.isOver { break }
            }
        }
        costlyDeferredInput.insert(contentsOf: held + waiting, at: 0)
    }
}
