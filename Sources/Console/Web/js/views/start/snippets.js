// Code that points each SDK at this gateway. From docs/senders.md, docs/fcm.md, docs/exec.md and Tests/Clients, with
// the values of the gateway filled in. A snippet is `{title, code, note?, tested?}`: `tested` is
// the client's name in docs/clients.md, or false for a client that Pushpit's tests do not cover.

import { go, java, node } from "./compiled.js";
import { php, python, ruby, swift } from "./scripted.js";

const exec = (v) => [
  {
    title: "Your program, unchanged",
    note: "You don't change any settings in your program. exec redirects its pushes to this gateway and gives it the credentials.",
    code: `pushpit exec --url ${v.url} --certs ${v.directory} -- ./your-program`,
  },
  {
    title: "A gateway for this run only",
    note: "For tests: the gateway ends with your program. --expect checks what was pushed.",
    code: "pushpit exec -- ./your-tests",
  },
  {
    title: "Your own shell",
    note: "For programs that honor HTTPS_PROXY. Many do not: exec reaches those too.",
    code: `eval "$(pushpit env --url ${v.plain} --certs ${v.directory})"`,
  },
];

const curl = (v) => [
  {
    title: "APNs, with the client certificate",
    tested: "curl",
    code: `curl --http2 -i --cacert ${v.ca} --cert ${v.certificate} \\
  -H 'apns-topic: ${v.topic}' -H 'apns-push-type: alert' \\
  -d '{"aps":{"alert":{"title":"Breakfast","body":"The bread is out"}}}' \\
  ${v.url}/3/device/${v.apnsToken}`,
  },
  {
    title: "FCM",
    tested: "curl",
    note: "The gateway accepts any bearer token, unless it was started with --auth strict.",
    code: `curl -i --cacert ${v.ca} \\
  -H 'authorization: Bearer any' -H 'content-type: application/json' \\
  -d '{"message":{"token":"${v.fcmToken}","notification":{"title":"Breakfast","body":"The bread is out"}}}' \\
  ${v.url}/v1/projects/${v.project}/messages:send`,
  },
];

const webPush = (v) => [
  {
    title: "A real browser",
    note: "Put the address of your page in place of PAGE. The page subscribes as usual, and shows the pushes that come. firefox works too.",
    code: `pushpit browser chromium --url ${v.plain} PAGE`,
  },
  {
    title: "Your backend, unchanged",
    note: "The endpoints of browsers are at Google, Mozilla and Apple. exec redirects them to this gateway.",
    code: `pushpit exec --url ${v.url} --certs ${v.directory} -- ./your-backend`,
  },
  {
    title: "Without a browser",
    note: "The answer has the subscription of a simulated browser, for the library that sends. The gateway decrypts what is sent to it. If the API needs a token, add -H 'authorization: Bearer TOKEN'.",
    code: `curl -s --cacert ${v.ca} ${v.url}/api/v1/devices \\
  -d '{"platform":"web","app":"https://shop.example"}'`,
  },
];

/** A tab for each. */
export const LANGUAGES = [
  { id: "exec", label: "pushpit exec", snippets: exec },
  { id: "curl", label: "curl", snippets: curl },
  { id: "webpush", label: "Web push", snippets: webPush },
  { id: "python", label: "Python", snippets: python },
  { id: "node", label: "Node", snippets: node },
  { id: "go", label: "Go", snippets: go },
  { id: "java", label: "Java", snippets: java },
  { id: "php", label: "PHP", snippets: php },
  { id: "ruby", label: "Ruby", snippets: ruby },
  { id: "swift", label: "Swift", snippets: swift },
];
