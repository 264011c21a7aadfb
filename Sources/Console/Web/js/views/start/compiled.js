// Code for Node, Go and Java.

export const node = (v) => [
  {
    title: "fetch, FCM",
    tested: "Node, fetch",
    code: `// NODE_EXTRA_CA_CERTS=${v.ca} node push.mjs
const answer = await fetch('${v.url}/v1/projects/${v.project}/messages:send', {
  method: 'POST',
  headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
  body: JSON.stringify({ message: {
    token: '${v.fcmToken}',
    notification: { title: 'Breakfast', body: 'The bread is out' },
  } }),
})
console.log(answer.status, await answer.json())
`,
  },
  {
    title: "http2, APNs",
    tested: "Node, http2",
    code: `// NODE_EXTRA_CA_CERTS=${v.ca} node push.mjs
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const text = \`\${encode({ alg: 'ES256', kid: '${v.keyId}' })}.\${encode({ iss: '${v.teamId}', iat: Math.floor(Date.now() / 1000) })}\`
const key = createPrivateKey(readFileSync('${v.key}'))
const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

const session = connect('${v.url}')
const request = session.request({
  ':method': 'POST', ':path': '/3/device/${v.apnsToken}',
  authorization: \`bearer \${text}.\${signature}\`, 'apns-topic': '${v.topic}', 'apns-push-type': 'alert',
})
request.on('response', (fields) => console.log(fields[':status']))
request.on('data', (data) => console.log(String(data)))
request.on('close', () => session.close())
request.end(JSON.stringify({ aps: { alert: { title: 'Breakfast', body: 'The bread is out' } } }))
`,
  },
  {
    title: "firebase-admin",
    tested: false,
    note: "Its addresses can't be changed, so pushpit exec redirects it to this gateway.",
    code: `// pushpit exec --url ${v.url} --certs ${v.directory} -- node push.mjs
import { applicationDefault, initializeApp } from 'firebase-admin/app'
import { getMessaging } from 'firebase-admin/messaging'

initializeApp({ credential: applicationDefault() })
const token = '${v.fcmToken}'
console.log(await getMessaging().send({ token, notification: { title: 'Breakfast', body: 'The bread is out' } }))
`,
  },
];

export const go = (v) => [
  {
    title: "net/http, FCM",
    tested: "Go, net/http",
    note: "For firebase-admin for Go, which Pushpit's tests do not cover: option.WithEndpoint(\"" + v.plain + "/v1\").",
    code: `// SSL_CERT_FILE=${v.ca} go run push.go
package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := \`{"message":{"token":"${v.fcmToken}",
		"notification":{"title":"Breakfast","body":"The bread is out"}}}\`
	request, _ := http.NewRequest("POST", "${v.url}/v1/projects/${v.project}/messages:send", strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer any")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.Status, string(text))
}
`,
  },
  {
    title: "sideshow/apns2",
    tested: false,
    note: "The field Host replaces Apple's host.",
    code: `// SSL_CERT_FILE=${v.ca} go run push.go
package main

import (
	"fmt"

	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/token"
)

func main() {
	key, err := token.AuthKeyFromFile("${v.key}")
	if err != nil {
		panic(err)
	}
	client := apns2.NewTokenClient(&token.Token{AuthKey: key, KeyID: "${v.keyId}", TeamID: "${v.teamId}"})
	client.Host = "${v.url}"
	answer, err := client.Push(&apns2.Notification{
		DeviceToken: "${v.apnsToken}",
		Topic:       "${v.topic}",
		Payload:     []byte(\`{"aps":{"alert":{"title":"Breakfast","body":"The bread is out"}}}\`),
	})
	fmt.Println(answer, err)
}
`,
  },
];

const options = (v) => `-Djavax.net.ssl.trustStore=${v.trust} -Djavax.net.ssl.trustStorePassword=pushpit`;

export const java = (v) => [
  {
    title: "HttpClient, FCM",
    tested: "Java, HttpClient",
    note: "Run firebase-admin for Java and Pushy with pushpit exec. Pushpit's tests do not cover them.",
    code: `// java ${options(v)} Push.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Push {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {"message":{"token":"${v.fcmToken}",
            "notification":{"title":"Breakfast","body":"The bread is out"}}}""";
        HttpRequest request = HttpRequest.newBuilder(URI.create("${v.url}/v1/projects/${v.project}/messages:send"))
            .header("authorization", "Bearer any").header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}
`,
  },
  {
    title: "HttpClient, APNs with the client certificate",
    tested: "Java, HttpClient",
    code: `// java ${options(v)} \\
//   -Djavax.net.ssl.keyStore=${v.p12} -Djavax.net.ssl.keyStorePassword=pushpit Push.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

class Push {
    public static void main(String[] arguments) throws Exception {
        String body = """
            {"aps":{"alert":{"title":"Breakfast","body":"The bread is out"}}}""";
        HttpRequest request = HttpRequest.newBuilder(URI.create("${v.url}/3/device/${v.apnsToken}"))
            .header("apns-topic", "${v.topic}").header("apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}
`,
  },
];
