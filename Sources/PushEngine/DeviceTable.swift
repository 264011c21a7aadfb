/// A value for each slot of the device registry, found without hashing. Slots that were never written have the default.
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
