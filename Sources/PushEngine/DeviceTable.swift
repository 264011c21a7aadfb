/// A value for each slot in the device registry, found without hashing. A slot that was never written has the
/// default.
package struct DeviceTable<Value> {
    private var values: [Value] = []
    private let defaultValue: Value

    init(default value: Value) { defaultValue = value }

    /// Forgets the values of the slots from `count` on.
    mutating func shrink(to count: Int) {
        guard count < values.count else { return }
        values.removeSubrange(count...)
        // An array does not shrink its memory, so the values move to a new array.
        if count < values.capacity / 4 { values = values.map(\.self) }
    }

    package subscript(slot: Int) -> Value {
        get { slot < values.count ? values[slot] : defaultValue }
        _modify {
            while slot >= values.count { values.append(defaultValue) }
            yield &values[slot]
        }
    }
}
