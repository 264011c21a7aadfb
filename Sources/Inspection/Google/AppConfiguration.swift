internal import JSON
internal import PushCore

/// Inspects the Firebase files of apps, which people mistake for a service account: `google-services.json`,
/// `GoogleService-Info.plist` and the object `firebaseConfig` of a web app. They say which project an app belongs to.
enum AppConfiguration {
    private static let maximumApps = 20

    static func matches(_ subject: Subject) -> Bool {
        guard let root = subject.root else { return false }
        return root["project_info"]?["project_id"] != nil
            || root["projectId"]?.string != nil && (root["messagingSenderId"] != nil || root["apiKey"] != nil)
    }

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        guard let root = subject.root else { return }
        if let project = root["project_info"] {
            note("google-services.json", project["project_id"], project["project_number"], &draft)
            let apps = root["client"]?.elements.prefix(Self.maximumApps).compactMap {
                $0["client_info"]?["android_client_info"]?["package_name"]?.string
            }
            for app in apps ?? [] { draft.note("package: \(app.quoted)") }
        } else {
            note("the configuration of a web app", root["projectId"], root["messagingSenderId"], &draft)
        }
    }

    private static func note(
        _ file: String, _ project: JSONView?, _ number: JSONView?, _ draft: inout InspectionDraft
    ) {
        finish(file, project: project?.string, number: number?.string, &draft)
    }

    private static func finish(_ file: String, project: String?, number: String?, _ draft: inout InspectionDraft) {
        draft.kind = .appConfiguration
        if let project {
            draft.note("project: \(project.quoted)")
            draft.links.project = project
        }
        if let number {
            draft.note("project number (sender id): \(number.quoted)")
            draft.links.projectNumber = number
        }
        draft.add(GoogleFileRule.appConfiguration, file)
    }

    static func inspectPropertyList(_ subject: Subject, _ draft: inout InspectionDraft) {
        let list = PropertyList(subject.text)
        guard list["GOOGLE_APP_ID"] != nil || list["GCM_SENDER_ID"] != nil else { return draft.add(TextRule.unknown) }
        if let bundle = list["BUNDLE_ID"] {
            draft.note("bundle id: \(bundle.quoted)")
            draft.links.bundleIDs = [bundle]
        }
        finish(
            "GoogleService-Info.plist", project: list["PROJECT_ID"], number: list["GCM_SENDER_ID"], &draft)
    }

    /// Recognises only the kind, by the name of a key: in a binary property list, names are plain text.
    static func inspectBinary(_ subject: Subject, _ draft: inout InspectionDraft) {
        guard String(decoding: subject.bytes, as: UTF8.self).includes("GOOGLE_APP_ID") else {
            return draft.add(TextRule.unknown)
        }
        finish("GoogleService-Info.plist, in its binary form", project: nil, number: nil, &draft)
    }
}
