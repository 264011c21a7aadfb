internal import Credentials
internal import JSON
internal import Platform

/// The variables that tell the command about the gateway and its credentials.
struct GatewayVariables {
    let credentials: Credentials
    let files: ExecFiles
    let url: String
    let apiToken: String?

    private static let table: [(name: String, value: @Sendable (GatewayVariables) -> String?)] = [
        ("PUSHPIT_URL", { $0.url }),
        ("PUSHPIT_API_TOKEN", { $0.apiToken }),
        ("PUSHPIT_CREDENTIALS", { $0.files.index }),
        ("PUSHPIT_CERTS", { $0.credentials.directory }),
        ("PUSHPIT_CA", { $0.credentials.path("ca.pem") }),
        (keyName, { $0.credentials.path("AuthKey_\($0.credentials.keyID).p8") }),
        (keyIDName, { $0.credentials.keyID }),
        ("PUSHPIT_APNS_TEAM_ID", { $0.credentials.teamID }),
        ("PUSHPIT_APNS_TOPIC", { $0.credentials.topic }),
        ("PUSHPIT_APNS_CERT", { $0.credentials.path("apns-client.pem") }),
        ("PUSHPIT_APNS_P12", { $0.credentials.path("apns-client.p12") }),
        ("PUSHPIT_FCM_PROJECT", { $0.credentials.project }),
        ("GOOGLE_APPLICATION_CREDENTIALS", { $0.files.serviceAccount }),
        ("GOOGLE_CLOUD_PROJECT", { $0.credentials.project }),
    ]
    static let names = table.map(\.name) + [firebaseName, oldProjectName, keepName]
    /// `exec` sets it to "1". Pushpit's test kits (`clients/`) then do not delete the pushes of
    /// a test that is over, so that `--expect` and `--report` see them.
    static let keepName = "PUSHPIT_KEEP_MESSAGES"
    static let keepValue = "1"
    /// Firebase's SDKs prefer the project in this variable: JSON, or the path of a file with it.
    private static let firebaseName = "FIREBASE_CONFIG"
    /// The old name of GOOGLE_CLOUD_PROJECT.
    private static let oldProjectName = "GCLOUD_PROJECT"

    private static let keyName = "PUSHPIT_APNS_KEY"
    private static let keyIDName = "PUSHPIT_APNS_KEY_ID"

    /// Whether `exec` has set this variable, so it is not the value of an option. `PUSHPIT_APNS_KEY` and
    /// `PUSHPIT_KEEP_MESSAGES` can be either: `exec` sets them together with `PUSHPIT_APNS_KEY_ID`.
    ///
    /// - Parameter environment: looks up an environment variable.
    static func isSetByExec(_ name: String, in environment: (String) -> String?) -> Bool {
        (name == keyName || name == keepName && environment(name) == keepValue) && environment(keyIDName) != nil
    }

    func set(in variables: inout Variables) {
        for row in Self.table { variables[row.name] = row.value(self) }
        if variables[Self.oldProjectName] != nil { variables[Self.oldProjectName] = credentials.project }
        if let old = variables.text(Self.firebaseName) { variables[Self.firebaseName] = firebaseConfiguration(old) }
    }

    /// Firebase's configuration with the gateway's project.
    private func firebaseConfiguration(_ old: String) -> String {
        let bytes = old.hasPrefix("{") ? Array(old.utf8) : Files.readRegular(old, atMost: 1 << 20) ?? []
        let members = (try? JSONDocument(parsing: bytes))?.root.members.map(\.self) ?? []
        var json = JSONWriter()
        json.object { json in
            json.member("projectId", credentials.project)
            for (key, value) in members {
                if let key = key.string, key != "projectId" { json.member(key, value) }
            }
        }
        return String(decoding: json.finish(), as: UTF8.self)
    }
}
