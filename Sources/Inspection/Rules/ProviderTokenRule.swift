internal import APNs
internal import PushCore

/// Findings about APNs provider tokens (docs/evidence/apns.md §3).
enum ProviderTokenRule: String, InspectionRule {
    case algorithm = "jwt.algorithm"
    case noAlgorithm = "jwt.no-algorithm"
    case critical = "jwt.critical"
    case noKeyID = "jwt.no-key-id"
    case keyID = "jwt.key-id"
    case noTeam = "jwt.no-team-id"
    case team = "jwt.team-id"
    case sameIDs = "jwt.same-ids"
    case smallLetters = "jwt.small-letters"
    case noTime = "jwt.no-issued-at"
    case time = "jwt.issued-at"
    case milliseconds = "jwt.milliseconds"
    case expired = "jwt.expired"
    case future = "jwt.future"
    case farFuture = "jwt.far-future"
    case signature = "jwt.signature"
    case bearer = "jwt.bearer-prefix"

    var row: InspectionRow {
        switch self {
        case .algorithm:
            InspectionRow(
                .error, "The token's alg is {}, but Apple accepts only ES256.",
                "Sign with ES256 and the P-256 key of the .p8 file.", .invalidToken)
        case .noAlgorithm:
            InspectionRow(
                .warning, "The token's header has no alg, which Apple documents as required.",
                "Add \"alg\":\"ES256\" to the header.", .apple(.invalidProviderToken, .assumed))
        case .critical:
            InspectionRow(
                .error,
                "The token's header has crit: a server that does not know its extensions must refuse the token.",
                "Remove crit from the header.", .apple(.invalidProviderToken, .assumed))
        case .noKeyID:
            InspectionRow(
                .error, "The token has no kid, the id of the key, in its header.",
                "Add the ten characters of the key id, as in the name AuthKey_XXXXXXXXXX.p8.", .invalidToken)
        case .keyID:
            InspectionRow(
                .error, "The token's kid is {}, but a key id has ten capital letters and digits.",
                "Use the ten characters from the name AuthKey_XXXXXXXXXX.p8.", .invalidToken)
        case .noTeam:
            InspectionRow(
                .error, "The token has no iss, the id of the team, in its claims.",
                "Add the team id, which developer.apple.com shows under Membership.", .invalidToken)
        case .team:
            InspectionRow(
                .error, "The token's iss is {}, but a team id has ten capital letters and digits.",
                "Use the team id that developer.apple.com shows under Membership, not the bundle id or the issuer id "
                    + "of App Store Connect.", .invalidToken)
        case .sameIDs:
            InspectionRow(
                .warning, "kid and iss are the same, but one is the id of the key and the other that of the team.",
                "Set kid to the key id and iss to the team id.", .invalidToken)
        case .smallLetters:
            InspectionRow(
                .warning, "The {} has small letters. Apple's ids have only capital letters and digits.",
                "Write the id as Apple shows it.", .invalidToken)
        case .noTime:
            InspectionRow(
                .error, "The token has no iat, the time at which it was signed.",
                "Add iat in seconds since 1970.", .invalidToken)
        case .time:
            InspectionRow(
                .error, "The token's iat is {}, not a number of seconds since 1970.",
                "Set iat to the current time in seconds since 1970.", .invalidToken)
        case .milliseconds:
            InspectionRow(
                .error, "The token's iat is {}, which is a time in milliseconds. As seconds it is far in the future.",
                "Divide it by 1,000.", .apple(.invalidProviderToken, .assumed))
        case .expired:
            InspectionRow(
                .error, "The token was signed at {}, more than one hour ago.",
                "Make a new token at least once every 60 minutes, but not more than once every 20 minutes. If it was "
                    + "made just now, this computer's clock or the signer's is wrong.",
                .apple(.expiredProviderToken, .documented))
        case .future:
            InspectionRow(
                .warning, "The token's iat is {}, which is in the future: a clock is wrong by {}.",
                "Set the clock of the computer that signs (NTP). Apple documents that iat has to be within one hour of "
                    + "its own clock.")
        case .farFuture:
            InspectionRow(
                .error, "The token's iat is {}, more than one hour in the future: a clock is wrong.",
                "Set the clock of the computer that signs (NTP), or of this one.",
                .apple(.invalidProviderToken, .assumed))
        case .signature:
            InspectionRow(
                .error, "The signature has {} bytes. It should have 64 (r and s), or be two integers in DER.",
                "Sign with ES256, and copy the whole token.", .invalidToken)
        case .bearer:
            InspectionRow(
                .note, "The text includes \"bearer\". The Authorization header needs the word only once.",
                "Check that your sender does not add the word a second time.",
                .apple(.missingProviderToken, .assumed, "if the word is there twice"))
        }
    }
}
