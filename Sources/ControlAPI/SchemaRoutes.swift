internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// The fields of pushes, for completion.
extension ControlAPI {
    static let schemaRoutes: [Route] = [
        Route(
            .get, "/schemas/apns", "List the fields of a push to APNs: header fields below /headers, and the payload.",
            answers: [(200, .named("PayloadFields"))]
        ) { (_) throws(ControlProblem) in show(APNsSchema.fields) },
        Route(
            .get, "/schemas/fcm", "List the fields of a body for messages:send.",
            answers: [(200, .named("PayloadFields"))]
        ) { (_) throws(ControlProblem) in show(messageFields) },
    ]

    /// FCM's fields, with Apple's fields in `apns`.
    private static let messageFields =
        FCMSchema.payloadFields + APNsSchema.headerFields.map { $0.below("/message/apns") }
        + APNsSchema.payloadFields.map { $0.below("/message/apns/payload") }

    private static func show(_ fields: [PayloadField]) -> Response {
        .json { json in
            json.key("fields")
            json.array { json in for field in fields { json.value(field) } }
        }
    }
}
