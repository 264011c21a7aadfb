internal import FCM
internal import JSON
internal import PushCore

/// How a kind of input is recognised, by its content. The first row that matches inspects the input.
struct Recognizer: Sendable {
    let matches: @Sendable (Subject) -> Bool
    let inspect: @Sendable (Subject, inout InspectionDraft) -> Void

    static let table: [Recognizer] = files + objects + tokens

    private static let files: [Recognizer] = [
        Recognizer(matches: { $0.text.isEmpty && $0.bytes.allSatisfy { $0 <= 0x20 } }) { $1.add(TextRule.empty) },
        Recognizer(matches: { BinaryInspection.isDER($0.bytes) }, inspect: BinaryInspection.inspect),
        Recognizer(matches: { PropertyList.isBinary($0.bytes) }, inspect: AppConfiguration.inspectBinary),
        // A service account has PEM inside of JSON.
        Recognizer(
            matches: { $0.text.includes("-----BEGIN ") && !$0.text.hasPrefix("{") }, inspect: PEMInspection.inspect),
        Recognizer(matches: { PropertyList.isXML($0.text) }, inspect: AppConfiguration.inspectPropertyList),
    ]

    private static let objects: [Recognizer] = [
        Recognizer(matches: { ServiceAccount.matches($0) }, inspect: ServiceAccount.inspect),
        Recognizer(matches: { $0.root?["type"]?.string.map(GoogleCredentials.types.contains) ?? false }) {
            GoogleCredentials.inspect($0, &$1)
        },
        Recognizer(matches: { GoogleCredentials.isOAuthClient($0) }, inspect: GoogleCredentials.inspectOAuthClient),
        Recognizer(matches: { AppConfiguration.matches($0) }, inspect: AppConfiguration.inspect),
        Recognizer(matches: { DeviceTokenInspection.isDescription($0.text) }) {
            DeviceTokenInspection.inspectDescription($0, &$1)
        },
        Recognizer(matches: { $0.text.hasPrefix("{") || $0.text.hasPrefix("[") }, inspect: PayloadInspection.inspect),
    ]

    private static let tokens: [Recognizer] = [
        Recognizer(matches: { JWT($0.text) != nil }, inspect: JWTInspection.inspect),
        Recognizer(matches: { GoogleTokenInspection.isAccessToken($0.text) }) {
            GoogleTokenInspection.inspectAccessToken($0, &$1)
        },
        Recognizer(matches: { GoogleTokenInspection.isAPIKey($0.text) }) { _, draft in
            draft.kind = .apiKey
            draft.add(GoogleTokenRule.apiKey)
        },
        Recognizer(matches: { GoogleTokenInspection.isServerKey($0.text) }) { _, draft in
            draft.kind = .legacyServerKey
            draft.add(GoogleTokenRule.legacyServerKey)
            draft.answer(.garbageBearer)
        },
        Recognizer(matches: { GoogleTokenInspection.isRegistration($0.text) }) {
            GoogleTokenInspection.inspectRegistration($0, &$1)
        },
        Recognizer(matches: { FCMSyntax.isInstallationID($0.text) }) { _, draft in
            draft.kind = .installationID
            draft.answer(.google("404 UNREGISTERED, if the installation is unknown", .observed))
        },
        Recognizer(matches: { DeviceTokenInspection.isHex($0.text) }, inspect: DeviceTokenInspection.inspectHex),
        Recognizer(matches: { BinaryInspection.isBase64DER($0.text) }, inspect: BinaryInspection.inspectBase64),
        Recognizer(matches: { DeviceTokenInspection.isBase64($0.text) }, inspect: DeviceTokenInspection.inspectBase64),
        Recognizer(matches: { TopicInspection.isTopic($0.text) }, inspect: TopicInspection.inspect),
    ]
}
