internal import HTTPCore
internal import PushCore

/// What exactly is wrong with the method, the path or a header field. Runs only for refused pushes.
extension APNsCheck {
    /// The cause, and the field that it is about. Nil for checks that have no single field.
    static func fieldCause(_ check: APNsCheck, _ push: borrowing PushContext, _ draft: APNsDraft) -> (String?, String)?
    {
        let request = push.request
        guard let (field, explain) = explanations[check] else {
            return switch check {
            case .method: ("The method is \(request.method.rawValue), not POST.", "headers/:method")
            case .repeatedFields: repeatedField(request.headers)
            default: nil
            }
        }
        let value = draft.fields[field].map { request.headers.storage.span.extracting($0).text }
        return value.map { (explain($0), "headers/\(String(decoding: field.name.bytes, as: UTF8.self))") }
    }

    private static let explanations: [APNsCheck: (field: APNsField, explain: @Sendable (String) -> String?)] = [
        .path: (.path, path), .messageID: (.id, messageID), .expiration: (.expiration, expiration),
        .priority: (.priority, { "apns-priority \($0.quoted) is not 10, 5 or 1." }),
        .collapseID: (
            .collapseID,
            { "apns-collapse-id has \($0.utf8.count) bytes, but at most \(APNsSyntax.collapseIDLimit) are allowed." }
        ),
        .pushType: (.pushType, pushType), .topicShape: (.topic, topic),
        .backgroundPriority: (
            .pushType, { "A push of the type \($0) has the priority 10, which --background-priority reject refuses." }
        ),
    ]

    private static func path(_ path: String) -> String {
        guard path.hasPrefix("/3/device/") else {
            return "The path is \(path.quoted), not /3/device/ followed by the token."
        }
        return "The device token in the path \(path.quoted) contains a slash."
    }

    private static func messageID(_ id: String) -> String {
        APNsSyntax.isIdentifier(id.utf8Span.span)
            ? "apns-id is \(id.quoted), and --apns-choice capital-id refuses capital letters."
            : "apns-id is \(id.quoted), which is not a UUID."
    }

    private static func expiration(_ text: String) -> String {
        APNsSyntax.seconds(text.utf8Span.span) == nil
            ? "apns-expiration is \(text.quoted), not a number of whole seconds with at most 19 digits."
            : "apns-expiration is \(text.quoted), a time in the past, which --apns-choice past-expiration refuses."
    }

    static func pushType(_ type: String) -> String {
        let guess = nearTypes.guess(type).map { "Did you mean '\($0)'? " } ?? ""
        return "apns-push-type is \(type.quoted), which is unknown. \(guess)The types are \(allTypes)."
    }

    private static let nearTypes = NameGuesser(APNsPushType.allCases.map(\.rawValue))
    private static let allTypes = APNsPushType.allCases.map(\.rawValue).joined(separator: ", ")

    private static func topic(_ topic: String) -> String {
        topic.unicodeScalars.first { !APNsTopic.isWellFormed(String($0).utf8Span.span) }
            .map { "apns-topic is \(topic.quoted), and \(String($0).quoted) is not allowed in a topic." }
            ?? "apns-topic has \(topic.utf8.count) bytes, but at most \(APNsTopic.maxLength) are allowed."
    }

    private static func repeatedField(_ headers: HeaderBlock) -> (String?, String) {
        var seen: Set<String> = []
        for (name, _) in headers {
            let name = String(decoding: name, as: UTF8.self)
            guard name.hasPrefix("apns-") || name == "authorization", !seen.insert(name).inserted else { continue }
            return ("The request has the field \(name.quoted) more than once.", "headers/\(name)")
        }
        return (nil, "")
    }
}
