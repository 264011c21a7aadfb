package import PushCore

/// Every rule of this dialect, for `pushpit rules` and the documentation.
package enum FCMRules {
    package static let all: [Rule] = rows.map { Rule("fcm.\($0.id)", .refusal($0.status), $0.meaning, $0.evidence) } + [
        Rule(
            "auth.unknown-bearer", .finding(.note),
            "The bearer was not issued by this gateway, so nobody was asked whose it is; Google would ask.", .ours)
    ]

    private static let rows: [(id: String, status: Int, meaning: String, evidence: Rule.Evidence)] = [
        ("credentials-missing", 401, "There is no 'authorization: Bearer'.", .observed),
        ("credentials-invalid", 401, "The bearer has letters that no bearer has, or, with --auth strict, was not issued here.", .observed),
        ("credentials-type", 401, "The bearer is a JWT, such as an ID token, and no access token.", .assumed),
        ("credentials-expired", 401, "The access token was issued here and is over.", .documented),
        ("scope", 403, "The access token was not asked for with the scope firebase.messaging or cloud-platform.", .assumed),
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
        ("reserved-key", 400, "A key of data is from, message_type or gcm, or begins with google or gcm.notification.", .documented),
        ("ttl", 400, "android.ttl is not from 0 to 2,419,200 seconds.", .documented),
        ("color", 400, "android.notification.color is no #rrggbb.", .documented),
        ("light-settings", 400, "android.notification.light_settings lacks one of its three fields.", .documented),
        ("analytics-label", 400, "An analytics label has letters that none has, or more than 50.", .documented),
        ("UNREGISTERED", 404, "The token or the installation is not registered any more, or never was.", .observed),
        ("SENDER_ID_MISMATCH", 403, "The token belongs to another sender; asked for by a magic token.", .observed),
        ("QUOTA_EXCEEDED", 429, "Too much was sent; asked for by a magic token.", .documented),
        ("UNAVAILABLE", 503, "Google's own trouble; asked for by a magic token.", .documented),
        ("INTERNAL", 500, "Google's own trouble; asked for by a magic token.", .observed),
        ("THIRD_PARTY_AUTH_ERROR", 401, "Apple or a web push service refused Google's credentials; asked for by a magic token.", .documented),
        ("INVALID_ARGUMENT", 400, "A value was refused further on; asked for by a magic token.", .observed),
    ]
}
