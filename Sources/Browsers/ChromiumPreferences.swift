internal import JSON

/// Chromium's settings, a file of JSON.
enum ChromiumPreferences {
    /// What Chromium writes for a permission that was granted.
    private static let granted: Int64 = 1

    /// Grants the permission at a path of keys. All other members stay as they are.
    static func setting(_ path: [String], in old: [UInt8]?) throws(ProfileProblem) -> [UInt8] {
        var root: JSONView?
        if let old {
            do throws(JSONError) { root = try JSONDocument(parsing: old).root } catch {
                throw ProfileProblem(reason: "is not valid JSON")
            }
        }
        var json = JSONWriter()
        write(root, path[...], to: &json)
        return json.finish()
    }

    private static func write(_ old: JSONView?, _ path: ArraySlice<String>, to json: inout JSONWriter) {
        guard let key = path.first else { return json.value(granted) }
        json.beginObject()
        if let old {
            for (name, value) in old.members {
                if let name = name.string, name != key { json.member(name, value) }
            }
        }
        json.key(key)
        write(old?[key], path.dropFirst(), to: &json)
        json.endObject()
    }
}

/// Why a file of a profile that exists can't be used, as the end of a sentence that begins with its path.
package struct ProfileProblem: Error, Equatable {
    package let reason: String
}
