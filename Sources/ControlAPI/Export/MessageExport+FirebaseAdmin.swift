internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Exports a message to FCM as a program in Python with firebase-admin.
extension MessageExport {
    func firebaseAdmin() throws(ControlProblem) -> String {
        guard !isAPNs else {
            throw conflict(
                "\(message.record.id) is a push to APNs, and as=firebase-admin is for messages to FCM. Use as=aioapns, as=node or as=curl."
            )
        }
        var isDry = false
        var code: String?
        for (key, value) in try root().members {
            switch key.string {
            case "message": code = try FirebaseCode(id: message.record.id).object(value, .message, "/message", 0)
            case "validate_only", "validateOnly": isDry = value.bool == true
            default: throw FirebaseCode(id: message.record.id).unable("/\(key.string ?? "")")
            }
        }
        guard let code else {
            throw conflict("\(message.record.id) has no 'message', so firebase-admin can't send it.")
        }
        let (facts, language) = (host.facts, ProgramLanguage.python)
        return """
            # Sends the message \(message.record.id) again with firebase-admin: pip install firebase-admin
            import datetime
            import os

            CERTIFICATES = \(language.quoted(facts.credentials))
            os.environ["REQUESTS_CA_BUNDLE"] = f"{CERTIFICATES}/ca.pem"

            import firebase_admin
            from firebase_admin import credentials, messaging

            # firebase-admin has no setting for the address.
            messaging._MessagingService.FCM_URL = "https://localhost:\(facts.port)/v1/projects/{0}/messages:send"
            account = credentials.Certificate(f"{CERTIFICATES}/\(facts.serviceAccount)")
            firebase_admin.initialize_app(account, {"projectId": \(language.quoted(message.facts.project ?? ""))})

            message = \(code)
            print(messaging.send(message\(isDry ? ", dry_run=True" : "")))

            """
    }
}
