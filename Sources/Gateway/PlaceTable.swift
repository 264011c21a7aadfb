/// A value for each place of the registry, found without hashing; most have none that is worth a word.
struct PlaceTable<Value> {
    private var values: [Value] = []
    private let usual: Value

    init(usual: Value) { self.usual = usual }

    subscript(place: Int) -> Value {
        get { place < values.count ? values[place] : usual }
        _modify {
            while place >= values.count { values.append(usual) }
            yield &values[place]
        }
    }
}
