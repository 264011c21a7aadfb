internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Exports a push to APNs as a program in Python with aioapns.
extension MessageExport {
    /// The push types that aioapns 4.0 knows, by their names there.
    private static let pushTypes = [
        "alert": "ALERT", "background": "BACKGROUND", "voip": "VOIP", "complication": "COMPLICATION",
        "fileprovider": "FILEPROVIDER", "mdm": "MDM", "liveactivity": "LIVEACTIVITY",
    ]
    private static let devicePath = "/3/device/"

    func aioapns() throws(ControlProblem) -> String {
        try needAPNs(.aioapns)
        let (facts, language) = (host.facts, ProgramLanguage.python)
        let topic = field("apns-topic")
        guard let topic, !topic.isEmpty else { throw unable("always sends an apns-topic, and this push has none") }
        let certificates = language.quoted(facts.credentials)
        let secret =
            isSigned
            ? """
            key=open(f"{CERTIFICATES}/AuthKey_\(facts.keyID).p8").read(), key_id=\(language.quoted(facts.keyID)),
                    team_id=\(language.quoted(facts.teamID))
            """ : #"client_cert=f"{CERTIFICATES}/apns-client.pem""#
        let environment = environment()
        let request = language.block("NotificationRequest(", try arguments(topic), ")", at: 1)
        return """
            # Sends the push \(message.record.id) again with aioapns: pip install aioapns
            import asyncio
            import ssl
            import time

            from aioapns import APNs, NotificationRequest, PushType
            from aioapns.connection import APNsTLSClientProtocol

            CERTIFICATES = \(certificates)


            class Gateway(APNsTLSClientProtocol):
                \"\"\"aioapns has no setting for the address.\"\"\"
                APNS_SERVER = "localhost"
                APNS_PORT = \(facts.port)
            \(environment)

            async def main():
                apns = APNs(
                    \(secret), topic=\(language.quoted(topic)),
                    ssl_context=ssl.create_default_context(cafile=f"{CERTIFICATES}/ca.pem"))
                apns.pool.protocol_class = Gateway
                request = \(request)
                result = await apns.send_notification(request)
                print(result.status, result.description or result.notification_id)


            asyncio.run(main())

            """
    }

    private func unable(_ why: String) -> ControlProblem {
        conflict("aioapns \(why), so it can't send \(message.record.id). Use as=node or as=curl.")
    }

    private func field(_ name: String) -> String? { message.shownHeaders.first { $0.name == name }?.value }

    /// The arguments of the request, one for each field.
    private func arguments(_ topic: String) throws(ControlProblem) -> [String] {
        let language = ProgramLanguage.python
        let path = String(decoding: message.request.path, as: UTF8.self)
        guard path.hasPrefix(Self.devicePath), message.request.method == .post else {
            throw unable("sends only pushes to devices")
        }
        guard let root = message.document?.root, root.kind == .object, let payload = language.literal(root, at: 2)
        else {
            throw unable("can't write this body exactly as it was")
        }
        var arguments = [
            "device_token=\(language.quoted(String(path.dropFirst(Self.devicePath.count))))", "message=\(payload)",
            "apns_topic=\(language.quoted(topic))",
        ]
        var seen: Set = ["apns-topic"]
        for (name, value) in message.shownHeaders where name.hasPrefix("apns-") && !seen.contains(name) {
            seen.insert(name)
            switch name {
            case "apns-id": arguments.append("notification_id=\(language.quoted(value))")
            case "apns-collapse-id": arguments.append("collapse_key=\(language.quoted(value))")
            case "apns-priority":
                arguments.append("priority=\(Int64(value).map(String.init) ?? language.quoted(value))")
            case "apns-push-type":
                guard let type = Self.pushTypes[value] else { throw unable("has no push type '\(value.prefix(40))'") }
                arguments.append("push_type=PushType.\(type)")
            case "apns-expiration":
                guard let seconds = Int64(value), String(seconds) == value else {
                    throw unable("can't send the apns-expiration '\(value.prefix(40))'")
                }
                arguments.append("time_to_live=\(seconds) - int(time.time())")
            default: throw unable("does not send the field \(name)")
            }
        }
        return arguments
    }

    /// For a push to the sandbox, which the gateway recognises by the host name.
    private func environment() -> String {
        guard message.record.environment == .sandbox, let authority = message.request.authority else { return "" }
        let name = ProgramLanguage.python.quoted(String(decoding: authority, as: UTF8.self))
        return """

                def connection_made(self, transport):
                    self.APNS_SERVER = \(name)
                    super().connection_made(transport)

            """
    }
}
