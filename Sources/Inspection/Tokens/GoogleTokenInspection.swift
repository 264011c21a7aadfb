internal import FCM
internal import PushCore

/// Inspects Google's tokens and keys that are not JWTs. The report never shows them.
enum GoogleTokenInspection {
    static func isAccessToken(_ text: String) -> Bool {
        text.hasPrefix("ya29.") && text.utf8.allSatisfy { FCMSyntax.isBase64URL($0) || $0 == UInt8(ascii: ".") }
    }

    static func inspectAccessToken(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .accessToken
        draft.note("An access token is valid for about an hour. Only Google knows when it ends and whose it is.")
        draft.answer(
            .google(
                "401 UNAUTHENTICATED with ACCESS_TOKEN_EXPIRED, if it has expired", .observed))
        draft.answer(
            .google(
                "403 PERMISSION_DENIED with IAM_PERMISSION_DENIED, if its account may not use the project", .observed))
    }

    static func isAPIKey(_ text: String) -> Bool {
        text.hasPrefix("AIza") && text.utf8.count == 39 && text.utf8.allSatisfy(FCMSyntax.isBase64URL)
    }

    /// Whether this is a server key. It looks like a registration token, but begins with AAAA. The first letter of a
    /// registration token is one of c to f.
    static func isServerKey(_ text: String) -> Bool {
        let key = text.hasPrefix("key=") ? String(text.dropFirst(4)) : text
        return key.hasPrefix("AAAA") && key.utf8.dropFirst(11).starts(with: ":APA91".utf8)
    }

    /// Whether this may be a registration token, perhaps a damaged one.
    static func isRegistration(_ text: String) -> Bool {
        guard text.utf8.count <= 4096 else { return false }
        return FCMSyntax.isToken(text) || text.includes(":APA91") || text.includes("%3AAPA91")
            || text.includes("%3aAPA91") || text.hasPrefix("APA91")
    }

    static func inspectRegistration(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .fcmToken
        let text = subject.text
        if FCMSyntax.isToken(text) {
            draft.note("characters: \(text.utf8.count)")
            draft.answer(.google("404 UNREGISTERED, if the app was removed or the token replaced", .observed))
            draft.answer(.google("403 SENDER_ID_MISMATCH, if it belongs to another project", .observed))
        } else if text.contains(where: \.isWhitespace) {
            draft.add(DeviceTokenRule.fcmSpaces)
        } else if text.includes("%3") {
            draft.add(DeviceTokenRule.fcmEncoded)
        } else if text.hasPrefix("APA91") {
            draft.add(DeviceTokenRule.fcmOld)
        } else {
            draft.add(DeviceTokenRule.fcmCut, String(text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst().count))
        }
    }
}
