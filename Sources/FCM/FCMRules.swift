package import PushCore

/// Every rule of this dialect, for `pushpit rules` and the documentation.
package enum FCMRules {
    package static let all: [Rule] =
        rows.map { Rule("fcm.\($0.id)", .refusal($0.status), $0.meaning, $0.evidence) } + [
            Rule(
                "auth.unknown-bearer", .finding(.note),
                "The bearer was not issued by this gateway, so nobody was asked whose it is; Google would ask.", .ours),
            Rule(
                "iid.unauthorized", .refusal(401),
                "The Instance ID API got no bearer, or none with 'access_token_auth: true'.", .observed),
            Rule(
                "iid.bad-call", .refusal(400), "The body of an Instance ID call lacks a member, or one is wrong.",
                .assumed),
            Rule(
                "iid.bad-token", .refusal(400),
                "The token of an Instance ID call has not the shape of a registration token.", .observed),
            Rule("iid.unknown-token", .refusal(404), "No device has the token of an Instance ID call.", .observed),
        ] + findings.map { Rule("fcm.\($0.id)", .finding($0.severity), $0.meaning, $0.evidence) }

    private static let findings: [(id: String, severity: Finding.Severity, meaning: String, evidence: Rule.Evidence)] =
        [
            ("no-subscribers", .warning, "A topic or a condition reaches no device.", .ours),
            (
                "legacy-shape", .warning,
                "The body has the shape of the API that ended in 2024; the finding shows it as v1.", .documented
            ),
            ("legacy-change", .note, "What became of one member of the old shape.", .documented),
            (
                "image-extension", .warning,
                "The common or Android's image URL has no path that ends in an extension of an image.", .ours
            ),
            (
                "image-without-mutable-content", .warning,
                "The common image goes to an iPhone too, and no extension is woken to fetch it.", .documented
            ),
            ("media-in-data", .warning, "A media URL stands within 'data', where nothing holds for it.", .ours),
            (
                "mutable-content-misplaced", .warning,
                "'mutable-content' stands in apns.headers or in data, where it has no effect.", .observed
            ),
            ("webpush-image", .warning, "'image' stands among webpush.headers, where it is never shown.", .observed),
            (
                "collapse-key-per-message", .note,
                "The collapse_key is the number of this very message, so that it replaces none.", .assumed
            ),
            (
                "collapse-key-ignored", .note, "A notification has a collapse_key, which Google does not look at.",
                .documented
            ),
            ("high-priority-data", .note, "A message that shows nothing has high priority.", .documented),
            (
                "silent-for-apple", .warning,
                "A message that shows nothing on an iPhone lacks content-available 1 or apns-priority 5.", .observed
            ),
        ]

    private static let rows: [(id: String, status: Int, meaning: String, evidence: Rule.Evidence)] = [
        ("credentials-missing", 401, "There is no 'authorization: Bearer'.", .observed),
        (
            "credentials-invalid", 401,
            "The bearer has letters that no bearer has, or, with --auth strict, was not issued here.", .observed
        ),
        ("credentials-type", 401, "The bearer is a JWT, such as an ID token, and no access token.", .assumed),
        ("credentials-expired", 401, "The access token was issued here and is over.", .documented),
        (
            "scope", 403, "The access token was not asked for with the scope firebase.messaging or cloud-platform.",
            .assumed
        ),
        ("no-permission", 403, "With --auth strict: the account is another project's than the path's.", .observed),
        ("already-subscribed", 409, "The registration is subscribed to the topic already.", .documented),
        ("no-subscription", 404, "The registration is not subscribed to the topic.", .documented),
        ("too-many-topics", 429, "The registration has 2,000 topics, as many as one may have.", .documented),
        (
            "topic-quota", 429,
            "All registrations together have a million subscriptions or 100,000 topics, as many as are kept here.",
            .ours
        ),
        ("page", 400, "page_size is no number from 0 on.", .assumed),
        ("legacy-gone", 404, "/fcm/send has been gone since 2024.", .observed),
        (
            "form-body", 400,
            "The content-type says that the body is a form, so its text is taken for names of fields.", .assumed
        ),
        ("not-json", 400, "The body is no JSON, even by Google's lenient reader.", .observed),
        ("conversion", 400, "A name is unknown, or a value is of another type than its field.", .observed),
        ("no-target", 400, "None of token, fid, topic and condition is set.", .observed),
        ("topic-name", 400, "The topic's name has letters that none has, or more than 900.", .observed),
        ("token-malformed", 400, "The token has not the shape of a registration token.", .observed),
        ("condition", 400, "The condition is none, or names more than five topics.", .observed),
        ("too-large", 400, "Keys and values have more than 4,096 octets, 4,506 for a topic.", .observed),
        ("webpush-ttl", 400, "webpush.headers.TTL is no number of seconds.", .observed),
        ("aps-missing", 400, "apns.payload has no 'aps' object.", .observed),
        ("aps-empty", 400, "apns.payload.aps is empty.", .observed),
        ("aps-type", 400, "A key of apns.payload.aps has a value of another type.", .observed),
        ("android-twice", 400, "Both android and android_v2 are set.", .documented),
        (
            "reserved-key", 400,
            "A key of data is from, message_type or gcm, or begins with google or gcm.notification.", .documented
        ),
        ("ttl", 400, "android.ttl is not from 0 to 2,419,200 seconds.", .documented),
        ("color", 400, "android.notification.color is no #rrggbb.", .documented),
        ("light-settings", 400, "android.notification.light_settings lacks one of its three fields.", .documented),
        ("analytics-label", 400, "An analytics label has letters that none has, or more than 50.", .documented),
        ("android-kind", 400, "android_v2 has none or both of remote_notification and background_sync.", .documented),
        ("image-https", 400, "android_v2's image is not fetched by HTTPS.", .documented),
        ("vibrate-timings", 400, "A vibrate timing is negative.", .assumed),
        ("UNREGISTERED", 404, "The token or the installation is not registered any more, or never was.", .observed),
        ("SENDER_ID_MISMATCH", 403, "The token belongs to another project.", .observed),
        ("QUOTA_EXCEEDED", 429, "Too much was sent: with --quotas real, or asked for by a magic token.", .documented),
        ("UNAVAILABLE", 503, "Google's own trouble; asked for by a magic token.", .documented),
        ("INTERNAL", 500, "Google's own trouble; asked for by a magic token.", .observed),
        (
            "THIRD_PARTY_AUTH_ERROR", 401,
            "Apple or a web push service refused Google's credentials; asked for by a magic token.", .documented
        ),
        ("INVALID_ARGUMENT", 400, "A value is wrong; the answer says which, where Google does.", .observed),
    ]
}
