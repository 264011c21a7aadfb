package import HTTPCore
package import PushCore

/// Apple's provider API: requests in, verdicts and answers out.
package struct APNsDialect: Sendable {
    package var checks = APNsCheck.standardOrder

    static let devicePath = Array("/3/device/".utf8)

    package init() {}

    /// The longest body of a device push.
    package static let payloadLimit = 4096
    package static let voipPayloadLimit = 5120

    package static func bodyLimit(_ headers: HeaderBlock) -> Int {
        let isVoIP = headers.first(.apnsPushType)?.elementsEqual("voip".utf8) ?? false
        return isVoIP ? voipPayloadLimit : payloadLimit
    }

    /// Decides about a device push, by the first check that refuses it.
    package func judge(_ request: Request, hasClientCertificate: Bool) -> APNsVerdict {
        var draft = APNsDraft(request.headers, hasClientCertificate: hasClientCertificate)
        for check in checks {
            guard let reason = check.refusal(of: request, &draft) else { continue }
            return .refused(reason, app: app(request, draft.topic))
        }
        let app = app(request, draft.topic)
        guard let token = draft.device else { return .refused(.missingDeviceToken, app: app) }
        return .accepted(APNsPush(token: token, app: app))
    }

    /// The answer's fields: `apns-id` as sent, else a minted one.
    package func answerHeaders(
        to request: Request, using generator: inout Random
    ) -> HeaderBlock {
        if let id = request.headers.first(.apnsID), !id.isEmpty {
            var headers = HeaderBlock()
            headers.append(.apnsID, id)
            return headers
        }
        return HeaderBlock(like: Self.mintedID) {
            Hex.writeIdentifier(over: &$0, at: HeaderName.apnsID.count, using: &generator)
        }
    }

    private static let mintedID = HeaderBlock([.apnsID: String(repeating: "-", count: Hex.identifierCount)])

    /// The topic as an app's name; suffixes are still part of it.
    private func app(_ request: Request, _ topic: Range<Int>) -> String {
        String(decoding: request.headers.storage[topic], as: UTF8.self)
    }

    package func answer(_ refusal: APNsReason, headers: HeaderBlock) -> Response {
        Response(
            status: refusal.status, headers: headers, body: .bytes(Array("{\"reason\":\"\(refusal.rawValue)\"}".utf8)))
    }
}

package enum APNsVerdict: Sendable {
    case accepted(APNsPush)
    case refused(APNsReason, app: String)
}

/// A push as the registry needs it.
package struct APNsPush: Sendable {
    package let token: DeviceToken
    /// The topic as an app's name.
    package let app: String
}

extension HeaderName {
    package static let apnsTopic = HeaderName("apns-topic")
    package static let apnsID = HeaderName("apns-id")
    package static let apnsPushType = HeaderName("apns-push-type")
}
