internal import PushCore

/// Errors about malformed targets. A sentence for the log says what exactly is wrong. It does not change the answer to
/// the client.
extension GoogleError {
    static func malformed(topic: String) -> GoogleError {
        badTopic.with(meaning: topicFault(topic))
    }

    private static func topicFault(_ topic: String) -> String {
        if topic.hasPrefix("/topics/") { return "The topic name \(topic.quoted) begins with /topics/." }
        let wrong = topic.unicodeScalars.first { !String($0).utf8.allSatisfy(FCMSyntax.isTopicCharacter) }
        if let wrong { return "The topic name \(topic.quoted) contains \(String(wrong).quoted), which is not allowed." }
        return "The topic name has \(topic.utf8.count) characters, but 1 to 900 are allowed."
    }

    static func malformed(condition: String) -> GoogleError {
        badCondition.with(meaning: TopicCondition.fault(in: condition))
    }

    /// - Parameter token: not shown, because the log contains no tokens of messages.
    static func malformed(_ token: String) -> GoogleError {
        badToken.with(meaning: FCMSyntax.fault(inToken: token))
    }
}

extension FCMSyntax {
    private static let apnsDigits = 64...200

    /// Why a text is neither a registration token nor an installation id.
    fileprivate static func fault(inToken text: String) -> String {
        let isHex = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 }
        if isHex, apnsDigits ~= text.utf8.count {
            return "The token has \(text.utf8.count) hex digits, like a device token of APNs; "
                + "FCM needs the registration token that Firebase's SDK gives the app."
        }
        let wrong = text.unicodeScalars.first { !($0 == ":" || String($0).utf8.allSatisfy(isBase64URL)) }
        if let wrong { return "The token contains \(String(wrong).quoted), which no registration token has." }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return "The token has \(parts.count == 1 ? "no colon" : "more than one colon"), "
                + "but a registration token looks like ID:APA91…."
        }
        let (before, after) = (parts[0].utf8.count, parts[1].utf8.count)
        if !(8...64 ~= before) { return "The token has \(before) characters before its colon, but 8 to 64 are normal." }
        if !parts[1].hasPrefix("APA91") { return "The part of the token after its colon does not begin with APA91." }
        return "The token has \(after) characters after its colon, but at least 85 are normal, so it may be cut off."
    }
}
