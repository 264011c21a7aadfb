/// The kinds of inputs that are recognised. The raw value is the name in JSON.
package enum InspectedKind: String, CaseIterable, Sendable {
    case apnsKey = "apns-key"
    case privateKey = "private-key"
    case publicKey = "public-key"
    case certificate
    case certificateRequest = "certificate-request"
    case clientIdentity = "client-identity"
    case pkcs12
    case serviceAccount = "service-account"
    case googleCredentials = "google-credentials"
    case oauthClient = "oauth-client"
    case appConfiguration = "app-configuration"
    case providerToken = "provider-token"
    case assertion = "google-assertion"
    case idToken = "id-token"
    case vapidToken = "vapid-token"
    case jwt
    case accessToken = "access-token"
    case apnsDeviceToken = "apns-device-token"
    case fcmToken = "fcm-token"
    case installationID = "fcm-installation-id"
    case legacyServerKey = "fcm-server-key"
    case apiKey = "google-api-key"
    case apnsPayload = "apns-payload"
    case fcmMessage = "fcm-message"
    case topic = "apns-topic"
    case environment
    case unknown

    var title: String {
        switch self {
        case .apnsKey: "APNs provider key (.p8)"
        case .privateKey: "private key"
        case .publicKey: "public key"
        case .certificate: "certificate"
        case .certificateRequest: "certificate request (CSR)"
        case .clientIdentity: "certificate with its private key"
        case .pkcs12: "PKCS#12 file (.p12)"
        case .serviceAccount: "Google service account"
        case .googleCredentials: "Google credentials that are not a service account"
        case .oauthClient: "OAuth client of a Google project"
        case .appConfiguration: "Firebase configuration of an app"
        case .providerToken: "APNs provider token (JWT)"
        case .assertion: "signed claims of a service account (JWT)"
        case .idToken: "ID token (JWT)"
        case .vapidToken: "VAPID token for web push (JWT)"
        case .jwt: "JWT"
        case .accessToken: "Google access token"
        case .apnsDeviceToken: "APNs device token"
        case .fcmToken: "FCM registration token"
        case .installationID: "Firebase installation id"
        case .legacyServerKey: "server key of the old FCM API"
        case .apiKey: "Google API key"
        case .apnsPayload: "APNs payload"
        case .fcmMessage: "FCM message"
        case .topic: "APNs topic"
        case .environment: "this environment"
        case .unknown: "unknown"
        }
    }
}
