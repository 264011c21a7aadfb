package import HTTPCore
internal import JSON
package import PushCore

/// Channel management and broadcasts: decides on requests and updates the channel registry (docs/evidence/apns.md §7).
package struct BroadcastDialect {
    private let policy: APNsPolicy
    private let verify: APNsSession.Verifier

    /// The longest body of a broadcast in bytes.
    package static let payloadLimit = 5120

    package init(_ policy: APNsPolicy, verify: @escaping APNsSession.Verifier) {
        self.policy = policy
        self.verify = verify
    }

    /// Whether a path belongs to this dialect: it begins with `/1/` or `/4/`. The rest may still be wrong.
    static func handlesPath(_ path: Span<UInt8>) -> Bool {
        path.count > 2 && (path[1] == UInt8(ascii: "1") || path[1] == UInt8(ascii: "4"))
            && path[2] == UInt8(ascii: "/")
    }

    package static func handles(_ request: Request) -> Bool {
        request.headers.range(of: .path).map { handlesPath(request.headers.storage.span.extracting($0)) } ?? false
    }

    package struct Outcome {
        package let response: Response
        package let app: String
        package let refusal: APNsRefusal?
        package let findings: [Finding]
        /// The answer's `apns-request-id` and, in the sandbox, `apns-unique-id`, without the other fields.
        package let ids: HeaderBlock
        package let isBroadcast: Bool
        package let broadcast: Broadcast?
        /// The channel that the call has created or deleted.
        package let changedChannel: ChannelRegistry.Key?
    }

    /// An accepted broadcast, with the devices that get it.
    package struct Broadcast: Sendable {
        package let channel: String
        package let subscribers: [DeviceID]
        package let traits: PushTraits

        package init(channel: String, subscribers: [DeviceID], traits: PushTraits) {
            self.channel = channel
            self.subscribers = subscribers
            self.traits = traits
        }
    }

    package func decide(
        _ push: borrowing PushContext, _ session: inout APNsSession, _ channels: inout ChannelRegistry,
        _ idGenerator: IDGenerator, using generator: inout Random
    ) -> Outcome {
        var call = BroadcastCall(push.request, in: push.environment)
        do throws(APNsRefusal) {
            try call.authorize(&session, policy, at: push.now, verify)
            let answer = try call.perform(&channels, policy, at: push.now, using: &generator)
            return outcome(call, answer, nil, push.id, idGenerator)
        } catch {
            var refusal = error
            if let finding = call.finding(for: error) {
                refusal.cause = finding.message
                call.findings.append(finding)
            }
            let body = APNsDialect(policy, verify: verify).answer(refusal, headers: HeaderBlock())
            return outcome(call, body, refusal, push.id, idGenerator)
        }
    }

    /// Puts the id fields before the other fields of the answer.
    private func outcome(
        _ call: BroadcastCall, _ answer: Response, _ refusal: APNsRefusal?, _ push: PushID, _ idGenerator: IDGenerator
    ) -> Outcome {
        var answer = answer
        var headers = HeaderBlock()
        headers.append(.apnsRequestID, call.requestID ?? idGenerator.id(of: push).text)
        if call.environment == .sandbox {
            headers.append(.apnsUniqueID, idGenerator.uniqueID(of: push).text.lowercased())
        }
        let ids = headers
        for (name, value) in answer.headers {
            headers.append(HeaderName(String(decoding: name, as: UTF8.self)), value)
        }
        answer.headers = headers
        return Outcome(
            response: answer, app: call.app, refusal: refusal, findings: call.findings,
            ids: ids, isBroadcast: call.route == .broadcast, broadcast: refusal == nil ? call.broadcast : nil,
            changedChannel: call.changedChannel)
    }
}

extension HeaderName {
    package static let apnsRequestID = HeaderName("apns-request-id")
    package static let apnsChannelID = HeaderName("apns-channel-id")
}

extension APNsRefusal: Error {}
