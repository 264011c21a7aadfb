/// A value for each place in the device registry, found without hashing. A place that was never written has the
/// default.
package struct DeviceTable<Value> {
    private var values: [Value] = []
    private let defaultValue: Value

    init(default value: Value) { defaultValue = value }

    package subscript(place: Int) -> Value {
        get { place < values.count ? values[place] : defaultValue }
        _modify {
            while place >= values.count { values.append(defaultValue) }
            yield &values[place]
        }
    }
}
