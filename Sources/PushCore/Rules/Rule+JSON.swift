package import JSON

/// A rule as `GET /api/v1/rules` and `pushpit rules --json` write it.
extension Rule: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            let severity = effect.severity
            json.member("id", id.description)
            json.member("effect", effect.text)
            json.key("severity")
            json.object { json in
                json.member("strict", severity.strict)
                json.member("service", severity.service)
            }
            json.member("checks", meaning)
            json.member("remedy", remedy)
            json.member("evidence", evidence.rawValue)
            if let observed { json.member("observed", observed) }
        }
    }
}
