internal import PushCore

/// Input that did not fit into the turn in which it arrived.
extension Gateway {
    /// Lets crowded connections process the input that they have kept: first the usual ones, then at least one costly one.
    func continueInput() {
        var waiting = crowded[...]
        var held: [ConnectionID] = []
        crowded = []
        while !turn.isOver, let id = waiting.popFirst() {
            guard let connection = connections[id] else { continue }
            if connection.isCostly {
                costlyCrowded.append(id)
            } else if connection.waitsForWork, isBacklogged {
                held.append(id)
            } else {
                connection.continueInput()
            }
        }
        // The connections that have waited longest come first in the next turn.
        crowded.insert(contentsOf: held + waiting, at: 0)
        continueCostlyInput()
    }

    private func continueCostlyInput() {
        var waiting = costlyCrowded[...]
        var held: [ConnectionID] = []
        costlyCrowded = []
        while let id = waiting.popFirst() {
            guard let connection = connections[id] else { continue }
            if connection.waitsForWork, isBacklogged {
                held.append(id)
            } else {
                connection.continueInput()
                if turn.isOver { break }
            }
        }
        costlyCrowded.insert(contentsOf: held + waiting, at: 0)
    }
}
