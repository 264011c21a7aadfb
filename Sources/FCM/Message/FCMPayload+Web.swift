package import JSON

extension FCMPayload {
    /// Writes the data of the browser's push event.
    package func writeWeb(to json: inout JSONWriter) {
        func header(_ name: String) -> String? {
            web?.entries(.headers).last { $0.key.lowercased() == name }?.value
        }
        let link = web?.message(.fcmOptions)?.string(.link)
        json.object { json in
            json.member("from", from)
            json.member("fcmMessageId", name)
            // Android's priority is not a browser's (docs/evidence/receivers.md §5.4, captured).
            json.member("priority", header("urgency") == "high" ? "high" : "normal")
            if let topic = header("topic") { json.member("collapse_key", topic) }
            if common != nil || web?.has(.notification) == true {
                json.key("notification")
                json.object { json in
                    let specific = web?[.notification]
                    // An empty image counts as not set.
                    let members = (specific?.members.map { ($0.key.string ?? "", $0.value) } ?? [])
                        .filter { $0 != "image" || $1.string != "" }
                    for field in [FCMField.title, .body, .image] {
                        if !members.contains(where: { $0.0 == field.camel }), let text = common?.string(field) {
                            json.member(field.camel, text)
                        }
                    }
                    for (key, value) in members { json.member(key, JSONValue(value)) }
                    if let link, specific?["click_action"] == nil { json.member("click_action", link) }
                }
            }
            let data = data(web)
            if !data.isEmpty {
                json.key("data")
                write(data, to: &json)
            }
            let label = label(web)
            if link != nil || label != nil {
                json.key("fcmOptions")
                json.object { json in
                    if let link { json.member("link", link) }
                    if let label { json.member("analytics_label", label) }
                }
            }
        }
    }
}
