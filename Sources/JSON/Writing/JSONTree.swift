/// A JSON object that is built path by path. Members keep the order in which they were first set.
package struct JSONTree: Sendable, JSONWritable {
    private var nodes: [(key: String, node: Node)] = []
    /// The index of each key in `nodes`, so that large objects stay fast.
    private var indices: [String: Int] = [:]

    private indirect enum Node: Sendable {
        case value(JSONValue)
        case tree(JSONTree)
    }

    package init() {}

    package var isEmpty: Bool { nodes.isEmpty }

    /// Sets the value at a path of keys. Missing objects on the path are created. A value on the path that was set
    /// before is replaced by an object.
    package mutating func set(_ path: [String], _ value: JSONValue) { set(path[...], value) }

    private mutating func set(_ path: ArraySlice<String>, _ value: JSONValue) {
        guard let key = path.first else { return }
        let index = indices[key] ?? nodes.count
        if index == nodes.count {
            indices[key] = index
            nodes.append((key, .value(.null)))
        }
        guard path.count > 1 else {
            nodes[index].node = .value(value)
            return
        }
        var inner = JSONTree()
        // Take the tree out of its node first, so that it is changed in place instead of being copied.
        if case .tree(let tree) = nodes[index].node { inner = tree }
        nodes[index].node = .value(.null)
        inner.set(path.dropFirst(), value)
        nodes[index].node = .tree(inner)
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
