/// An object that is built path by path, its members in the order in which they came.
package struct JSONTree: Sendable, JSONWritable {
    private var nodes: [(key: String, node: Node)] = []
    /// Where each key is, for objects of any length.
    private var places: [String: Int] = [:]

    private indirect enum Node: Sendable {
        case value(JSONValue)
        case tree(JSONTree)
    }

    package init() {}

    package var isEmpty: Bool { nodes.isEmpty }

    /// Puts a value at a path of keys, making the objects on the way; what stood in the way is replaced.
    package mutating func set(_ path: [String], _ value: JSONValue) { set(path[...], value) }

    private mutating func set(_ path: ArraySlice<String>, _ value: JSONValue) {
        guard let key = path.first else { return }
        let place = places[key] ?? nodes.count
        if place == nodes.count {
            places[key] = place
            nodes.append((key, .value(.null)))
        }
        guard path.count > 1 else {
            nodes[place].node = .value(value)
            return
        }
        var inner = JSONTree()
        // Taken out, so that it is changed where it is.
        if case .tree(let tree) = nodes[place].node { inner = tree }
        nodes[place].node = .value(.null)
        inner.set(path.dropFirst(), value)
        nodes[place].node = .tree(inner)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, node) in nodes {
                json.key(key)
                switch node {
                case .value(let value): json.value(value)
                case .tree(let tree): tree.write(to: &json)
                }
            }
        }
    }
}
