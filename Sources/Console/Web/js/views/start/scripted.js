// Code for Python, PHP, Ruby and Swift.

export const python = (v) => [
  {
    title: "firebase-admin",
    tested: "firebase-admin for Python",
    code: `import json
import os
from pathlib import Path

# The second one is for the calls that end in _async.
os.environ["REQUESTS_CA_BUNDLE"] = "${v.ca}"
os.environ["SSL_CERT_FILE"] = "${v.ca}"

import firebase_admin
from firebase_admin import credentials, messaging

messaging._MessagingService.FCM_URL = "${v.url}/v1/projects/{0}/messages:send"
# The file may name another gateway that uses the same folder.
account = json.loads(Path("${v.account}").read_text()) | {"token_uri": "${v.url}/token"}
firebase_admin.initialize_app(credentials.Certificate(account))
message = messaging.Message(
    token="${v.fcmToken}",
    notification=messaging.Notification(title="Breakfast", body="The bread is out"))
print(messaging.send(message))
`,
  },
  {
    title: "aioapns",
    tested: "aioapns",
    code: `import asyncio
import ssl
from pathlib import Path

from aioapns import APNs, NotificationRequest, connection

# Both, so that no push leaves this machine.
connection.APNsProductionClientProtocol.APNS_SERVER = "${v.name}"
connection.APNsDevelopmentClientProtocol.APNS_SERVER = "${v.name}"
connection.APNsTLSClientProtocol.APNS_PORT = ${v.port}


async def main() -> None:
    apns = APNs(
        key=Path("${v.key}").read_text(), key_id="${v.keyId}",
        team_id="${v.teamId}", topic="${v.topic}",
        ssl_context=ssl.create_default_context(cafile="${v.ca}"))
    alert = {"title": "Breakfast", "body": "The bread is out"}
    answer = await apns.send_notification(NotificationRequest("${v.apnsToken}", {"aps": {"alert": alert}}))
    print(answer.status, answer.description)


asyncio.run(main())
`,
  },
];

export const php = (v) => [
  {
    title: "curl, FCM",
    tested: "PHP, curl",
    note: "Run kreait/firebase-php with pushpit exec. Pushpit's tests do not cover it.",
    code: `<?php
$request = curl_init('${v.url}/v1/projects/${v.project}/messages:send');
curl_setopt_array($request, [
    CURLOPT_CAINFO => '${v.ca}', CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['authorization: Bearer any', 'content-type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['message' => [
        'token' => '${v.fcmToken}',
        'notification' => ['title' => 'Breakfast', 'body' => 'The bread is out']]]),
]);
echo curl_exec($request), "\\n";
`,
  },
  {
    title: "curl, APNs",
    tested: "PHP, curl",
    code: `<?php
$request = curl_init('${v.url}/3/device/${v.apnsToken}');
curl_setopt_array($request, [
    CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2TLS, CURLOPT_CAINFO => '${v.ca}',
    CURLOPT_SSLCERT => '${v.certificate}', CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['apns-topic: ${v.topic}', 'apns-push-type: alert'],
    CURLOPT_POSTFIELDS => json_encode(['aps' => ['alert' => ['title' => 'Breakfast', 'body' => 'The bread is out']]]),
]);
echo curl_exec($request), curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\\n";
`,
  },
];

export const ruby = (v) => [
  {
    title: "net/http, FCM",
    tested: "Ruby, net/http and googleauth",
    note: "net/http has no HTTP/2, which APNs needs. For APNs gems and for rpush, use pushpit exec.",
    code: `# SSL_CERT_FILE=${v.ca} ruby push.rb
require 'json'
require 'net/http'

body = JSON.generate(message: {
  token: '${v.fcmToken}',
  notification: { title: 'Breakfast', body: 'The bread is out' } })
answer = Net::HTTP.post(
  URI('${v.url}/v1/projects/${v.project}/messages:send'), body,
  'authorization' => 'Bearer any', 'content-type' => 'application/json')
puts answer.code, answer.body
`,
  },
  {
    title: "googleauth, for access tokens",
    tested: "Ruby, net/http and googleauth",
    note: "googleauth ignores the address in the account, so it is set here.",
    code: `require 'googleauth'

credentials = Google::Auth::ServiceAccountCredentials.make_creds(
  json_key_io: File.open('${v.account}'),
  scope: 'https://www.googleapis.com/auth/firebase.messaging')
credentials.token_credential_uri = '${v.url}/token'
puts credentials.fetch_access_token!['access_token']
`,
  },
];

export const swift = (v) => [
  {
    title: "Foundation, FCM",
    note: "The same port also accepts plain HTTP, so you don't have to trust a certificate.",
    code: `import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

var request = URLRequest(url: URL(string: "${v.plain}/v1/projects/${v.project}/messages:send")!)
request.httpMethod = "POST"
request.setValue("Bearer any", forHTTPHeaderField: "authorization")
request.setValue("application/json", forHTTPHeaderField: "content-type")
request.httpBody = try JSONSerialization.data(withJSONObject: ["message": [
    "token": "${v.fcmToken}",
    "notification": ["title": "Breakfast", "body": "The bread is out"],
]])
let (data, _) = try await URLSession.shared.data(for: request)
print(String(decoding: data, as: UTF8.self))
`,
  },
  {
    title: "APNSwift",
    tested: false,
    note: "Let the system trust the certificate authority in " + v.ca + ".",
    code: `let client = APNSClient(
    configuration: .init(
        authenticationMethod: .jwt(
            privateKey: try .init(pemRepresentation: String(contentsOfFile: "${v.key}", encoding: .utf8)),
            keyIdentifier: "${v.keyId}", teamIdentifier: "${v.teamId}"),
        environment: .custom(url: "https://${v.host}", port: ${v.port})),
    eventLoopGroupProvider: .createNew, responseDecoder: JSONDecoder(), requestEncoder: JSONEncoder())
`,
  },
];
