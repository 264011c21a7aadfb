package import PushCore

/// Every rule of this dialect. The errors in `FCMErrors.swift` and the findings refer to these rows by id.
package enum FCMRules {
    package static let all: [Rule] = refusals + findings

    private static let refusals: [Rule] = [
        Rule(
            "fcm.credentials-missing", .refusal(401), .observed, "The request has no 'authorization: Bearer'.",
            "Send 'authorization: Bearer' with an access token."),
        Rule(
            "fcm.credentials-invalid", .refusal(401), .observed,
            "The bearer token contains invalid characters, or, with --auth strict, was not issued here.",
            "Send the access token as it was issued."),
        Rule(
            "fcm.credentials-type", .refusal(401), .assumed,
            "The bearer token is a JWT, such as an ID token, and not an access token.",
            "Send an access token, not an ID token or a JWT that the service account signed."),
        Rule(
            "fcm.credentials-expired", .refusal(401), .documented, "The access token was issued here and has expired.",
            "Get another access token from /token."),
        Rule(
            "fcm.key-alone", .refusal(401), .assumed, "The request has an API key, but no access token.",
            "Send 'authorization: Bearer' with an access token. FCM accepts no API keys."),
        Rule(
            "fcm.query", .refusal(400), .assumed,
            "The query parameter $.xgafv, alt or fields has a value that Google does not accept.",
            "Set $.xgafv to 1 or 2, alt to json, and fields to names of members of the answer."),
        Rule(
            "fcm.scope", .refusal(403), .assumed,
            "The access token was not requested with the scope firebase.messaging or cloud-platform.",
            "Request the scope https://www.googleapis.com/auth/firebase.messaging."),
        Rule(
            "fcm.no-permission", .refusal(403), .observed,
            "With --auth strict: the account belongs to a different project than the path names.",
            "Send to the project of the service account, or use --auth lenient."),
        Rule(
            "fcm.already-subscribed", .refusal(409), .documented,
            "The registration is already subscribed to the topic.", "Treat 409 as success."),
        Rule(
            "fcm.no-subscription", .refusal(404), .documented, "The registration is not subscribed to the topic.",
            "Subscribe first, or add allowMissing=true."),
        Rule(
            "fcm.too-many-topics", .refusal(429), .documented,
            "The registration already has 2,000 topics, which is the limit.",
            "Unsubscribe from topics that you no longer need."),
        Rule(
            "fcm.topic-quota", .refusal(429), .ours,
            "Pushpit keeps at most one million subscriptions and 100,000 topics, and one of these limits is reached. "
                + "These limits are Pushpit's, not Google's. "
                + "With --quotas real, also: the project made more than 3,000 topic changes in a second.",
            "Unsubscribe devices, or delete devices with POST /api/v1/reset. With --quotas real, also make fewer changes per second."
        ),
        Rule(
            "fcm.page", .refusal(400), .assumed, "pageSize is not a number or is negative.",
            "Send a pageSize from 1 to 2,000."),
        Rule(
            "fcm.legacy-gone", .refusal(404), .observed, "/fcm/send was removed in 2024.",
            "Send the message that the finding shows to /v1/projects/PROJECT/messages:send."),
        Rule(
            "fcm.connect", .refusal(400), .observed,
            "/fcm/connect/subscribe, an old way for browsers to subscribe, refuses nearly every caller.",
            "Register the browser with Firebase's SDK."),
        Rule(
            "fcm.form-body", .refusal(400), .assumed,
            "The content-type says that the body is a form, so its text is read as field names.",
            "Send 'content-type: application/json'. curl's -d alone declares a form."),
        Rule(
            "fcm.broken-gzip", .refusal(400), .assumed,
            "The body has 'content-encoding: gzip', but it is not gzip, is incomplete, or is followed by other bytes.",
            "Compress the whole body once, or send it without content-encoding."),
        Rule(
            "fcm.not-json", .refusal(400), .observed, "The body is not JSON, not even for Google's lenient reader.",
            "Fix the JSON at the marked position."),
        Rule(
            "fcm.conversion", .refusal(400), .observed,
            "A field name is unknown, or a value has the wrong type for its field.",
            "Run 'pushpit rules --format fcm-fields', which lists all fields with their types."),
        Rule(
            "fcm.no-target", .refusal(400), .observed, "None of token, fid, topic and condition is set.",
            "Set one of token, fid, topic and condition in 'message'."),
        Rule(
            "fcm.topic-name", .refusal(400), .observed,
            "The topic name contains invalid characters or is longer than 900 characters.",
            "Use letters, digits and -_.~% in the topic name, without /topics/."),
        Rule(
            "fcm.token-malformed", .refusal(400), .observed,
            "The token does not have the form of a registration token.", "Send the token as the app got it."),
        Rule(
            "fcm.condition", .refusal(400), .observed, "The condition is invalid or names more than five topics.",
            "Write the condition like 'a' in topics && !('b' in topics), with at most five topics and without /topics/."
        ),
        Rule(
            "fcm.too-large", .refusal(400), .observed,
            "The keys and values of data, the values of the notification and apns.payload together have more than 4,506 bytes.",
            "Shorten data and notification. Google's text says 4,096, but 4,506 bytes were seen to pass."),
        Rule(
            "fcm.webpush-ttl", .refusal(400), .observed, "webpush.headers.TTL is not a number of seconds.",
            "Send TTL in whole seconds, 0 or more."),
        Rule(
            "fcm.aps-missing", .refusal(400), .observed, "apns.payload has no 'aps' object.",
            "Add an 'aps' object to apns.payload."),
        Rule(
            "fcm.aps-empty", .refusal(400), .observed, "apns.payload.aps is empty.",
            "Add an alert, a badge, a sound or content-available to 'aps'."),
        Rule(
            "fcm.aps-type", .refusal(400), .observed, "A key of apns.payload.aps has a value of the wrong type.",
            "Give each key of aps a value of the type that Apple documents."),
        Rule(
            "fcm.android-twice", .refusal(400), .documented, "Both android and android_v2 are set.",
            "Omit android or android_v2."),
        Rule(
            "fcm.reserved-key", .refusal(400), .documented,
            "A key of data is 'from', 'message_type' or 'gcm', or starts with 'google' or 'gcm.notification.'.",
            "Rename the data key."),
        Rule(
            "fcm.other-package", .refusal(400), .documented,
            "restricted_package_name does not name the app that the token belongs to.",
            "Set restricted_package_name to the package name of the app, or omit it."),
        Rule(
            "fcm.ttl", .refusal(400), .documented, "android.ttl is not from 0 to 2,419,200 seconds.",
            "Use a ttl from 0s to 2419200s."),
        Rule(
            "fcm.color", .refusal(400), .documented, "android.notification.color does not have the form #rrggbb.",
            "Write the color as #rrggbb."),
        Rule(
            "fcm.light-settings", .refusal(400), .documented,
            "android.notification.light_settings lacks one of its three fields.",
            "Set color, light_on_duration and light_off_duration."),
        Rule(
            "fcm.analytics-label", .refusal(400), .documented,
            "An analytics label contains invalid characters or is longer than 50 characters.",
            "Use at most 50 letters, digits and -_.~% in a label."),
        Rule(
            "fcm.android-kind", .refusal(400), .documented,
            "android_v2 has neither or both of remote_notification and background_sync.",
            "Set exactly one of remote_notification and background_sync."),
        Rule(
            "fcm.image-https", .refusal(400), .documented, "The image of android_v2 does not have an https URL.",
            "Use an https URL for the image."),
        Rule(
            "fcm.vibrate-timings", .refusal(400), .assumed, "A vibrate timing is negative.",
            "Use durations of 0s or more."),
        Rule(
            "fcm.UNREGISTERED", .refusal(404), .observed,
            "The token or the installation is no longer registered, or never was.",
            "Delete the token, and register the app again."),
        Rule(
            "fcm.SENDER_ID_MISMATCH", .refusal(403), .observed, "The token belongs to another project.",
            "Send in the project that the token was made for, with a service account of that project. In a test, you can create the device in the sender's project instead."
        ),
        Rule(
            "fcm.QUOTA_EXCEEDED", .refusal(429), .documented,
            "A device gets too many messages, or a project sends too many to topics at once, with --quotas real. A fault or a magic token causes this too.",
            "Wait a minute, then send more slowly."),
        Rule(
            "fcm.project-quota", .refusal(429), .observed, observed: "2025-09",
            "The project sent more than 600,000 requests in a minute, with --quotas real.",
            "Wait as long as Retry-After says, then send more slowly."),
        Rule(
            "fcm.UNAVAILABLE", .refusal(503), .documented,
            "FCM is unavailable. Only a fault or a magic token causes this.",
            "Send again later, and wait longer after each attempt."),
        Rule(
            "fcm.INTERNAL", .refusal(500), .observed,
            "FCM failed internally. Only a fault or a magic token causes this.",
            "Send again later, and wait longer after each attempt."),
        Rule(
            "fcm.THIRD_PARTY_AUTH_ERROR", .refusal(401), .documented,
            "Apple or a web push service refused Google's credentials. Only a fault or a magic token causes this.",
            "Check the APNs key in the Firebase project, or the web push credentials."),
        Rule(
            "fcm.INVALID_ARGUMENT", .refusal(400), .observed,
            "A value is invalid. Google's text does not always name its field.",
            "Check the field that Google's text names."),
        Rule(
            "fcm.data-priority", .refusal(400), .documented,
            "A message to a single iPhone has no notification and shows nothing, and apns-priority is 10.",
            "Set apns-priority to 5 and aps.content-available to 1, or send a notification."),
        Rule(
            "auth.unknown-bearer", .finding(.note), .ours,
            "The bearer token was not issued by this gateway, so its owner was not verified. Google would verify it.",
            "No action is needed. Only Pushpit accepts a bearer token without verifying its owner."),
        Rule(
            "iid.unauthorized", .refusal(401), .observed, observed: "2023-01",
            "The Instance ID call has no bearer token, or no 'access_token_auth: true' with it.",
            "Send 'authorization: Bearer' and 'access_token_auth: true'."),
        Rule(
            "iid.bad-call", .refusal(400), .assumed,
            "The body of an Instance ID call lacks a member or has an invalid one.",
            "Send 'to' as /topics/NAME and 1 to 1,000 'registration_tokens'."),
        Rule(
            "iid.bad-token", .refusal(400), .observed,
            "The token of an Instance ID call does not have the form of a registration token.",
            "Send the token as the app got it."),
        Rule(
            "iid.unknown-token", .refusal(404), .observed, "No device has the token in the Instance ID call.",
            "Send the token of an existing device. This API does not create devices."),
    ]
}
