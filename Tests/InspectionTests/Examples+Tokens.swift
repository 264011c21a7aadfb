@testable import Inspection

extension Example {
    private static func provider(_ rule: ProviderTokenRule, _ text: String) -> Example {
        Example(rule, .providerToken, text)
    }

    static let providerTokens: [Example] = [
        provider(.algorithm, Fixtures.providerToken(header: #"{"alg":"HS256","kid":"ABCDE12345"}"#)),
        provider(.noAlgorithm, Fixtures.providerToken(header: #"{"kid":"ABCDE12345"}"#)),
        provider(.critical, Fixtures.providerToken(header: #"{"alg":"ES256","kid":"ABCDE12345","crit":["b64"]}"#)),
        provider(.noKeyID, Fixtures.providerToken(header: #"{"alg":"ES256"}"#)),
        provider(.keyID, Fixtures.providerToken(header: #"{"alg":"ES256","kid":"ABC"}"#)),
        provider(.keyID, Fixtures.providerToken(header: #"{"alg":"ES256","kid":1234567890}"#)),
        provider(.noTeam, Fixtures.jwt(Fixtures.goodHeader, #"{"iat":\#(Fixtures.seconds)}"#)),
        provider(.team, Fixtures.providerToken(issuer: #""com.example.app""#)),
        provider(.sameIDs, Fixtures.providerToken(issuer: #""ABCDE12345""#)),
        provider(.smallLetters, Fixtures.providerToken(issuer: #""team567890""#)),
        provider(.noTime, Fixtures.jwt(Fixtures.goodHeader, #"{"iss":"TEAM567890"}"#)),
        provider(.time, Fixtures.providerToken(issued: #""today""#)),
        provider(.time, Fixtures.providerToken(issued: "1e300")),
        provider(.milliseconds, Fixtures.providerToken(issued: "\(Fixtures.seconds)000")),
        provider(.expired, Fixtures.providerToken(issued: "\(Fixtures.seconds - 3601)")),
        provider(.expired, Fixtures.providerToken(issued: #""\#(Fixtures.seconds - 3601)""#)),
        provider(.future, Fixtures.providerToken(issued: "\(Fixtures.seconds + 3600)")),
        provider(.farFuture, Fixtures.providerToken(issued: "\(Fixtures.seconds + 3601)")),
        provider(.signature, String(Fixtures.providerToken().dropLast(4))),
        provider(.signature, Fixtures.providerToken().split(separator: ".").dropLast().joined(separator: ".") + "."),
        provider(.bearer, "Authorization: bearer \(Fixtures.providerToken())"),
    ]

    private static func claims(_ rule: GoogleTokenRule, _ text: String) -> Example { Example(rule, .assertion, text) }

    static let googleTokens: [Example] = [
        claims(.algorithm, Fixtures.assertion(header: #"{"alg":"HS256"}"#)),
        claims(.noAccount, Fixtures.assertion(issuer: "")),
        claims(.noTimes, Fixtures.assertion(times: #""iat":1"#)),
        claims(.expired, Fixtures.assertion(times: #""iat":\#(Fixtures.seconds - 60),"exp":\#(Fixtures.seconds)"#)),
        claims(
            .tooLong, Fixtures.assertion(times: #""iat":\#(Fixtures.seconds),"exp":\#(Fixtures.seconds + 3601)"#)),
        claims(
            .future, Fixtures.assertion(times: #""iat":\#(Fixtures.seconds + 301),"exp":\#(Fixtures.seconds + 900)"#)),
        claims(.audience, Fixtures.assertion(audience: "https://fcm.googleapis.com/")),
        claims(.scope, Fixtures.assertion(scope: "https://www.googleapis.com/auth/drive")),
        Example(
            GoogleTokenRule.idToken, .idToken,
            Fixtures.jwt(#"{"alg":"RS256","kid":"1"}"#, #"{"iss":"https://accounts.google.com","aud":"x"}"#)),
        Example(GoogleTokenRule.otherJWT, .jwt, Fixtures.jwt(#"{"alg":"HS256"}"#, #"{"sub":"ann","aud":"shop"}"#)),
        Example(
            GoogleTokenRule.webPush, .vapidToken,
            Fixtures.jwt(#"{"alg":"ES256"}"#, #"{"aud":"https://updates.push.services.mozilla.com","sub":"mailto:x"}"#)),
        Example(
            GoogleTokenRule.legacyServerKey, .legacyServerKey,
            "AAAAabcdefg:APA91b" + String(repeating: "x", count: 134)),
        Example(
            GoogleTokenRule.legacyServerKey, .legacyServerKey,
            "key=AAAAabcdefg:APA91b" + String(repeating: "x", count: 134)),
        Example(GoogleTokenRule.apiKey, .apiKey, "AIza" + String(repeating: "x", count: 35)),
    ]

    private static func device(_ rule: DeviceTokenRule, _ text: String) -> Example {
        Example(rule, .apnsDeviceToken, text)
    }
    private static func registration(_ rule: DeviceTokenRule, _ text: String) -> Example {
        Example(rule, .fcmToken, text)
    }

    static let deviceTokens: [Example] = [
        device(.oddDigits, Fixtures.deviceToken + "a"), device(.tooShort, String(Fixtures.deviceToken.dropLast(2))),
        device(.tooLong, String(repeating: "a1", count: 101)),
        device(.description, "<a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4>"),
        device(.tooShort, "<a1b2c3d4 a1b2c3d4 a1b2c3d4>"),
        device(.shortened, "{length = 32, bytes = 0x740f4707 bebcf74f 9b7c25d4 ... 8e335894 5f6aa01d }"),
        device(.base64, "obLD1KGyw9ShssPUobLD1KGyw9ShssPUobLD1KGyw9Q="),
        device(.base64, "obLD1KGyw9ShssPUobLD1KGyw9ShssPUobLD1KGyw9Q"),
        device(.separators, "0x" + Fixtures.deviceToken), device(.separators, "a1b2c3d4-" + Fixtures.deviceToken),
        device(.placeholder, String(repeating: "0", count: 64)),
        registration(.fcmCut, String(Fixtures.fcmToken.prefix(80))),
        registration(.fcmEncoded, Fixtures.fcmToken.split(separator: ":").joined(separator: "%3A")),
        registration(.fcmSpaces, Fixtures.fcmToken.prefix(60) + "\n" + Fixtures.fcmToken.dropFirst(60)),
        registration(.fcmOld, String(Fixtures.fcmToken.drop { $0 != ":" }.dropFirst())),
        Example(DeviceTokenRule.unknownSuffix, .topic, "com.example.app.liveactivity"),
        Example(DeviceTokenRule.unknownSuffix, .topic, "com.example.app.VoIP"),
    ]
}
