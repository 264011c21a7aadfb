internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Exports a push to APNs as a program for Node.
extension MessageExport {
    /// The fields of the request, without credentials and without the fields that HTTP/2 or the program adds.
    private func sentFields() throws(ControlProblem) -> [(name: String, values: [String])] {
        var fields: [(name: String, values: [String])] = [
            (":method", [message.request.method.rawValue]), (":path", [message.target { _ in "" }]),
        ]
        // The host name decides between the environments.
        if let authority = message.request.authority, message.record.environment == .sandbox {
            fields.append((":authority", [String(decoding: authority, as: UTF8.self)]))
        }
        let secrets = ["authorization", "content-length", "host", "cookie", "proxy-authorization", "x-goog-api-key"]
        for (name, value) in message.shownHeaders where !secrets.contains(name) {
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index].values.append(value)
            } else {
                fields.append((name, [value]))
            }
        }
        for (name, values) in fields {
            guard values.allSatisfy({ $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } }) else {
                throw conflict(
                    "The field '\(name)' of \(message.record.id) has characters besides ASCII. Use /raw instead.")
            }
        }
        return fields
    }

    /// Whether the exported program signs the push with the gateway's provider key. The client certificate covers few topics, so it is used
    /// only for pushes without a topic, which the key can't send.
    var isSigned: Bool {
        let names = message.shownHeaders.map(\.name)
        return names.contains("authorization") || names.contains("apns-topic") && !host.facts.keyID.isEmpty
    }

    func needAPNs(_ shape: Shape) throws(ControlProblem) {
        guard isAPNs else {
            throw conflict(
                "\(message.record.id) is a message to FCM, and as=\(shape.rawValue) is for pushes to APNs. Use as=firebase-admin or as=curl."
            )
        }
    }

    /// A program without dependencies.
    func node() throws(ControlProblem) -> String {
        try needAPNs(.node)
        let language = ProgramLanguage.javaScript
        let fields = try sentFields().map { name, values in
            let list = values.map(language.quoted).joined(separator: ", ")
            return "\(language.quoted(name)): \(values.count == 1 ? list : "[\(list)]")"
        }
        let facts = host.facts
        let secret =
            isSigned
            ? ""
            : ", cert: fs.readFileSync(`${certificates}/apns-client.pem`), key: fs.readFileSync(`${certificates}/apns-client.pem`)"
        return """
            // Sends the push \(message.record.id) again, with nothing but Node 18 or newer: node push.cjs
            const crypto = require("node:crypto");
            const fs = require("node:fs");
            const http2 = require("node:http2");

            const certificates = \(language.quoted(facts.credentials));
            const fields = \(language.block("{", fields, "}", at: 0));
            const body = \(nodeBody());

            \(isSigned ? Self.tokenFunction(language.quoted(facts.keyID), language.quoted(facts.teamID)) : "")
            const client = http2.connect("https://localhost:\(facts.port)", { ca: fs.readFileSync(`${certificates}/ca.pem`)\(secret) });
            client.on("error", (error) => { console.error(error.message); process.exitCode = 1; });

            const request = client.request(fields);
            let answer = "";
            request.setEncoding("utf8");
            request.on("response", (head) => console.log(head[":status"], head["apns-id"]));
            request.on("data", (text) => { answer += text; });
            request.on("end", () => { if (answer) console.log(answer); client.close(); });
            request.end(body);

            """
    }

    /// The body as an object if JavaScript writes the same JSON, otherwise as text or bytes.
    private func nodeBody() -> String {
        let (body, language) = (message.request.body, ProgramLanguage.javaScript)
        if let root = message.document?.root, let object = language.literal(root) { return "JSON.stringify(\(object))" }
        let text = String(decoding: body, as: UTF8.self)
        if text.utf8.elementsEqual(body) { return language.quoted(text) }
        return "Buffer.from(\(language.quoted(Base64URL.encode(body))), \"base64url\")"
    }

    private static func tokenFunction(_ keyID: String, _ teamID: String) -> String {
        """
        // The provider token: a JWT that the gateway's own key signs.
        const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const claims = `${part({ alg: "ES256", kid: \(keyID) })}.${part({ iss: \(teamID), iat: Math.floor(Date.now() / 1000) })}`;
        const key = { key: fs.readFileSync(`${certificates}/AuthKey_${\(keyID)}.p8`), dsaEncoding: "ieee-p1363" };
        fields.authorization = `bearer ${claims}.${crypto.sign("sha256", claims, key).toString("base64url")}`;

        """
    }
}
