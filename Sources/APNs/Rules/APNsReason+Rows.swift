// Over 200 lines: one table with one row for each reason.
internal import PushCore

/// The row of each reason: its word, its status, the evidence, what it means and what to do about it.
extension APNsReason {
    /// Called once for each case, to build `rows`. A switch, so that a new case does not compile without a row.
    var definition: Row {
        switch self {
        case .badCollapseID:
            Row(
                "BadCollapseId", 400, .documented, "apns-collapse-id is longer than 64 bytes.",
                "Shorten apns-collapse-id to at most 64 bytes of UTF-8.")
        case .badDeviceToken:
            Row(
                "BadDeviceToken", 400, .documented,
                "The device token is not 64 to 200 hex digits, is unknown, or belongs to the other environment.",
                "Send the token as 64 to 200 hex digits, to the environment that issued it. For the sandbox, make the device with the environment 'sandbox'."
            )
        case .badExpirationDate:
            Row(
                "BadExpirationDate", 400, .documented,
                "apns-expiration is not a whole number of seconds, or is not 0 for a channel that stores nothing.",
                "Send apns-expiration in whole seconds since 1970. Send 0 to a channel that stores nothing.")
        case .badMessageID:
            Row(
                "BadMessageId", 400, .documented, "apns-id is not a UUID.",
                "Send apns-id as a UUID in the form 8-4-4-4-12, or omit it.")
        case .badPriority:
            Row("BadPriority", 400, .documented, "apns-priority is not 10, 5 or 1.", "Set apns-priority to 10, 5 or 1.")
        case .badTopic:
            Row(
                "BadTopic", 400, .assumed, "apns-topic contains invalid characters or is longer than 255 characters.",
                "Use only letters, digits, '.', '-' and '_' in apns-topic, and at most 255 characters.")
        case .deviceTokenNotForTopic:
            Row(
                "DeviceTokenNotForTopic", 400, .documented, "The device token belongs to another topic.",
                "Set apns-topic to the topic that the app registered this device token for.")
        case .duplicateHeaders:
            Row(
                "DuplicateHeaders", 400, .documented,
                "The request repeats authorization or a field whose name starts with apns-.",
                "Send authorization and each apns- field only once.")
        case .idleTimeout:
            Row(
                "IdleTimeout", 400, .documented, "The connection was idle. This reason arrives in a GOAWAY.",
                "Send a PING now and then. Open a new connection when this GOAWAY arrives.")
        case .invalidPushType:
            Row(
                "InvalidPushType", 400, .observed, observed: "2019-09",
                "apns-push-type is unknown or does not match the suffix of the topic.",
                "Use an apns-push-type that Apple documents, and give apns-topic the suffix for that type.")
        case .missingDeviceToken:
            Row(
                "MissingDeviceToken", 400, .observed, "The path ends where the device token should be.",
                "Add the device token after /3/device/ in the path.")
        case .missingTopic:
            Row(
                "MissingTopic", 400, .documented,
                "apns-topic is missing, and no client certificate names exactly one topic.",
                "Add apns-topic with the bundle id of the app.")
        case .payloadEmpty:
            Row(
                "PayloadEmpty", 400, .documented, "The body is empty.",
                "Send a JSON object as the body, even if it is only {}.")
        case .topicDisallowed:
            Row(
                "TopicDisallowed", 400, .documented, "The certificate or key does not cover this topic.",
                "Use a key or certificate that covers apns-topic; 'pushpit init --apns-topic BUNDLE' makes a certificate, and 'pushpit exec --apns-topic BUNDLE' uses one. For a broadcast, remove the suffix of the topic."
            )
        case .badCertificate:
            Row(
                "BadCertificate", 403, .observed, observed: "2016",
                "A different certificate authority signed the client certificate. This reason arrives in a GOAWAY.",
                "Connect with a client certificate that the certificate authority in the --certs directory signed.")
        case .badCertificateEnvironment:
            Row(
                "BadCertificateEnvironment", 403, .observed, observed: "2016",
                "The client certificate is for the other environment. This reason arrives in a GOAWAY.",
                "Connect to the host for the certificate's environment, or use a certificate for this one.")
        case .expiredProviderToken:
            Row(
                "ExpiredProviderToken", 403, .documented,
                "The provider token is more than one hour old, was replaced on this connection, or was invalidated by POST /api/v1/credentials/expire.",
                "Sign a new provider token at least once an hour, with the current time as iat. If a test moved the gateway's clock, POST /api/v1/clock sets it right."
            )
        case .forbidden:
            Row(
                "Forbidden", 403, .assumed,
                "The action is not allowed. Only a fault, a magic token or --apns-choice other-team=Forbidden causes this.",
                "Send to a token that does not start with dead040300, or remove the fault that answers 403.")
        case .invalidProviderToken:
            Row(
                "InvalidProviderToken", 403, .observed,
                "The provider token is unreadable, has a wrong signature or names a different team.",
                "Sign with ES256 and the key that kid names, and set iss to the team of that key.")
        case .missingProviderToken:
            Row(
                "MissingProviderToken", 403, .observed,
                "The request has no 'authorization: bearer', and the connection has no client certificate.",
                "Send 'authorization: bearer' with a provider token, or connect with a client certificate.")
        case .unrelatedKeyIDInToken:
            Row(
                "UnrelatedKeyIdInToken", 403, .documented,
                "The key is not related to the first key of this connection.",
                "Open a separate connection for each key that is not related to the first one.")
        case .badEnvironmentKeyInToken:
            Row(
                "BadEnvironmentKeyInToken", 403, .observed, observed: "2025-10",
                "The key is for the other environment.",
                "Sign with a key for this environment, or send to the host for the key's environment.")
        case .badPath:
            Row(
                "BadPath", 404, .observed,
                "The path does not exist, or a DELETE names a channel that does not exist.",
                "POST to /3/device/ followed by the token, and delete only channels that exist.")
        case .methodNotAllowed:
            Row("MethodNotAllowed", 405, .observed, "The method is not POST.", "Send the push with POST.")
        case .expiredToken:
            Row(
                "ExpiredToken", 410, .documented,
                "The device token has expired. Only a fault or a magic token causes this.",
                "Get a new device token from the app. In tests, avoid tokens that start with dead041001.")
        case .unregistered:
            Row(
                "Unregistered", 410, .documented,
                "The app is no longer on the device. The timestamp in the body says when it was removed.",
                "Delete this device token from your database. Store a token again when the app registers.")
        case .payloadTooLarge:
            Row(
                "PayloadTooLarge", 413, .documented,
                "The body is longer than 4,096 bytes, or 5,120 for voip pushes and broadcasts.",
                "Shorten the body to 4,096 bytes, or 5,120 for voip pushes and broadcasts.")
        case .tooManyProviderTokenUpdates:
            Row(
                "TooManyProviderTokenUpdates", 429, .documented,
                "Another provider token arrived on this connection within 20 minutes.",
                "Keep each provider token for 20 minutes, or shorten --token-update-interval.")
        case .tooManyRequests:
            Row(
                "TooManyRequests", 429, .documented,
                "Too many pushes went to one device. Only a fault or a magic token causes this.",
                "Send less often to one device. In tests, avoid tokens that start with dead042900.")
        case .internalServerError:
            Row(
                "InternalServerError", 500, .documented,
                "APNs failed internally. Only a fault or a magic token causes this.",
                "Send to a token that does not start with dead0500, or remove the fault that answers 500.")
        case .serviceUnavailable:
            Row(
                "ServiceUnavailable", 503, .documented,
                "APNs is unavailable. Pushpit also answers this when it has reached its limit of devices or of waiting pushes.",
                "Retry later. Close device sockets or bring devices online to make room.")
        case .shutdown:
            Row(
                "Shutdown", 503, .observed,
                "The server is shutting down. Pushpit says this in a GOAWAY when it stops, and a fault can answer with it.",
                "Open a new connection, and resend each push that got no answer or this answer.")
        case .broadcastFeatureNotEnabled:
            Row(
                "BroadcastFeatureNotEnabled", 400, .observed, of: .broadcast,
                "The app may not broadcast. Only a fault causes this.",
                "Turn on Broadcast Capability for the app in your Apple developer account. In tests, remove the fault.")
        case .missingChannelID:
            Row(
                "MissingChannelId", 400, .documented, of: .broadcast, "apns-channel-id is missing.",
                "Add apns-channel-id with the id from the answer that created the channel.")
        case .badChannelID:
            Row(
                "BadChannelId", 400, .observed, observed: "2026-09", of: .broadcast,
                "apns-channel-id does not name a channel and never did.",
                "Send apns-channel-id exactly as it was returned, to the environment that created the channel.")
        case .channelNotRegistered:
            Row(
                "ChannelNotRegistered", 400, .observed, observed: "2026-09", of: .broadcast,
                "The channel was deleted, or a read names a channel that does not exist.",
                "Create a new channel with POST /1/apps/BUNDLE/channels and use its id.")
        case .badRequestParams:
            Row(
                "BadRequestParams", 400, .documented, of: .broadcast,
                "The body for a new channel has an unknown member.",
                "Send only message-storage-policy and push-type in the body for a new channel.")
        case .badRequestPayload:
            Row(
                "BadRequestPayload", 400, .documented, of: .broadcast,
                "The body for a new channel is not a JSON object.", "Send the body for a new channel as a JSON object.")
        case .missingPushType:
            Row(
                "MissingPushType", 400, .documented, of: .broadcast, "The push type is missing.",
                "Set push-type for a new channel, or apns-push-type for a broadcast, to LiveActivity.")
        case .missingChannelQueueSize:
            Row(
                "MissingChannelQueueSize", 400, .observed, of: .broadcast,
                "message-storage-policy for a new channel is missing, or is neither 0 nor 1.",
                "Set message-storage-policy to the number 0 or 1.")
        case .cannotCreateChannelConfig:
            Row(
                "CannotCreateChannelConfig", 400, .documented, of: .broadcast, "The app already has 10,000 channels.",
                "Delete channels that you no longer need before you create another.")
        case .topicMismatch:
            Row(
                "TopicMismatch", 403, .documented, of: .broadcast,
                "The certificate or key does not cover the app in the path.",
                "Use a key or certificate for the app whose bundle id is in the path.")
        case .invalidPayload:
            Row(
                "InvalidPayload", 400, .ours, of: .ours,
                "The phone could not use the payload, and the strict profile refuses it. The answer names the rule.",
                "Fix what the named rule describes, or serve with --validation service.")
        }
    }
}
