internal import JSON
internal import PushCore

/// Inspects JSON files with Google credentials that are not a service account.
enum GoogleCredentials {
    /// The values of `type` in files that Google's libraries read (application default credentials).
    static let types = [
        "authorized_user", "external_account", "external_account_authorized_user", "impersonated_service_account",
        "gdch_service_account",
    ]

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .googleCredentials
        let type = subject.root?["type"]?.string ?? ""
        if type == "authorized_user" {
            draft.add(GoogleFileRule.userCredentials)
        } else {
            draft.add(GoogleFileRule.externalCredentials, type.quoted)
        }
        if let project = subject.root?["quota_project_id"]?.string { draft.note("quota project: \(project.quoted)") }
    }

    /// Whether this is the file of an OAuth client, which Google names `client_secret_….json`.
    static func isOAuthClient(_ subject: Subject) -> Bool {
        [subject.root?["installed"], subject.root?["web"]].contains { $0?["client_id"] != nil }
    }

    static func inspectOAuthClient(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .oauthClient
        let client = subject.root?["installed"] ?? subject.root?["web"]
        if let project = client?["project_id"]?.string {
            draft.note("project: \(project.quoted)")
            draft.links.project = project
        }
        draft.add(GoogleFileRule.oauthClient)
    }
}
