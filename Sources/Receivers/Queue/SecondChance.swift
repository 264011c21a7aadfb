internal import PushCore

/// The order in which clients came, to find one that can be forgotten when there is no room for another. A client that is
/// needed goes to the end.
struct SecondChance<Key> {
    private var order = Queue<Key>()

    /// How many clients are looked at for each new one.
    private static var most: Int { 100 }

    enum Need {
        /// It is gone already.
        case none
        /// Nothing would be missed.
        case little
        /// It has registrations.
        case some
        /// It is connected.
        case connected
    }

    mutating func add(_ key: Key) { order.append(key) }

    /// A client that can be forgotten: rather one of which nothing is missed. Nil if all clients that were looked at are
    /// connected.
    mutating func next(_ need: (Key) -> Need) -> Key? {
        var candidate: Key?
        for _ in 0..<Self.most {
            guard let key = order.popFirst() else { break }
            switch need(key) {
            case .none: continue
            case .little:
                if let candidate { order.append(candidate) }
                return key
            case .some where candidate == nil: candidate = key
            case .some, .connected: order.append(key)
            }
        }
        return candidate
    }
}
