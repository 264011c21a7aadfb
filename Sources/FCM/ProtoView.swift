internal import JSON
internal import PushCore

/// A message that the converter has found no fault in, read field by field: by either name, the last of several, null as
/// absent.
struct ProtoView {
    let json: JSONView
    private let message: ProtoMessage

    init(_ json: JSONView, as name: FCMSchema.Name) {
        self.json = json
        message = FCMSchema[name]
    }

    subscript(name: String) -> JSONView? {
        guard let field = message.fields.first(where: { $0.name == name }) else {
            preconditionFailure("\(message.name) has no field \(name)")
        }
        let document = json.document
        var found: JSONView?
        for (key, value) in json.members {
            let place = document.place(of: key)
            if document.isString(field.octets, at: place) || document.isString(field.camelOctets, at: place) { found = value }
        }
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    /// Its type knows that field.
    func has(_ name: String) -> Bool { message.fields.contains { $0.name == name } }

    func string(_ name: String) -> String? { self[name]?.string }

    func message(_ name: String, as type: FCMSchema.Name) -> ProtoView? { self[name].map { ProtoView($0, as: type) } }

    /// The entries of a map; one whose value is null is none.
    func entries(_ name: String) -> [(key: String, value: String)] {
        (self[name]?.members.map { ($0.key.string ?? "", $0.value.string) } ?? [])
            .compactMap { key, value in value.map { (key, $0) } }
    }

    /// In whole seconds.
    func seconds(_ name: String) -> Int64? {
        guard let value = self[name], case .success(let duration) = ProtoScalar.duration(value) else { return nil }
        return duration.seconds
    }
}
