"""`pushpit exec`: real programs, which know nothing of Pushpit, push to it on each way."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from exec_run import PATIENCE, PUSH, WAYS, Case
from gateway import TOPIC, Gateway

OURS = ("PUSHPIT_URL", "PUSHPIT_CREDENTIALS", "PUSHPIT_CERTS", "PUSHPIT_CA", "PUSHPIT_APNS_KEY", "PUSHPIT_APNS_KEY_ID",
        "PUSHPIT_APNS_TEAM_ID", "PUSHPIT_APNS_TOPIC", "PUSHPIT_APNS_CERT", "PUSHPIT_APNS_P12", "PUSHPIT_FCM_PROJECT",
        "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT")
TRUST = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
         "NODE_EXTRA_CA_CERTS", "PHP_INI_SCAN_DIR")
REQUESTS = """
import json, os, requests
account = json.load(open(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]))
print(account["token_uri"], requests.post(account["token_uri"], data={"grant_type": "x"}).json()["error"])
send = f"https://fcm.googleapis.com/v1/projects/{account['project_id']}/messages:send"
message = {"message": {"token": "cEXAMPLEinstallationid:APA91b" + "x" * 134, "notification": {"title": "Hello"}}}
print(requests.post(send, json=message, headers={"authorization": "Bearer x"}).status_code)
print(len(requests.get(os.environ["PUSHPIT_URL"] + "/api/v1/messages").json()["messages"]))"""
URLLIB = """
import ssl, urllib.request
print(urllib.request.urlopen("https://oauth2.googleapis.com/token").status)"""


# A host that Pushpit does not imitate, and names with a dot at the end, which says that they are complete.
REFUSED = """
import socket, ssl, urllib.error, urllib.request
try:
    urllib.request.urlopen("https://iamcredentials.googleapis.com/v1/x")
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
for name in "fcm.googleapis.com.", "API.push.apple.com.", "gateway.push.apple.com", "sts.googleapis.com":
    print({found[4][0] for found in socket.getaddrinfo(name, 443, socket.AF_INET)})"""


class Clients(Case):
    def test_the_credentials_are_for_the_topic_of_the_option(self) -> None:
        code, output, errors = self.run_exec(
            "--certs", str(self.temporary / "shop"), "--apns-topic", "com.example.shop", "--via", "proxy", "sh", "-c",
            f'echo "$PUSHPIT_APNS_TOPIC"; curl -sS --cert "$PUSHPIT_APNS_CERT" -H "apns-topic: $PUSHPIT_APNS_TOPIC" -d \'{{"aps":{{"alert":"x"}}}}\' '
            f'-o /dev/null -w "%{{http_code}}" https://api.push.apple.com/3/device/{"a1" * 32}')
        self.assertEqual((code, output), (0, "com.example.shop\n200"), errors)
        self.assertIn("'com shop' must be a bundle id", self.run_exec("--apns-topic", "com shop", "true")[2])

    def test_hosts_for_credentials_are_refused_and_not_reached(self) -> None:
        for way in ("trace", "preload"):
            with self.subTest(way):
                # `preload` also sets HTTPS_PROXY, and the proxy refuses the tunnel instead.
                variables = ["env", "-u", "HTTPS_PROXY", "-u", "https_proxy"]
                code, output, errors = self.run_exec("--via", way, *variables, sys.executable, "-c", REFUSED)
                self.assertEqual(code, 0, errors)
                refusal, *places = output.strip().rsplit("\n", 4)
                self.assertRegex(refusal, "^403 (?s:.*)Pushpit does not imitate iamcredentials.googleapis.com")
                self.assertEqual(places, ["{'127.80.80.72'}"] * 4)

    def test_a_proxy_that_pushpit_cannot_use_is_kept(self) -> None:
        script = 'echo "$HTTPS_PROXY"'
        for proxy in ("socks5://127.0.0.1:9", "https://127.0.0.1:9"):
            for way in ("trace", "preload"):
                with self.subTest(way, proxy=proxy):
                    code, output, errors = self.run_exec("--via", way, "sh", "-c", script, variables={"HTTPS_PROXY": proxy})
                    self.assertEqual((code, output), (0, proxy + "\n"), errors)
        # A gateway that passes on no connections would keep the program from all other hosts.
        code, output, errors = self.run_exec("--via", "preload", "--proxy-pass", "off", "sh", "-c", script)
        self.assertEqual((code, output), (0, "\n"), errors)

    def test_the_project_of_firebase_is_the_gateways(self) -> None:
        file = self.temporary / "firebase.json"
        file.write_text('{"projectId":"real-prod","storageBucket":"b"}')
        for given in (file.read_text(), str(file)):
            script = 'echo "$FIREBASE_CONFIG $GCLOUD_PROJECT $PUSHPIT_FCM_PROJECT"'
            variables = {"FIREBASE_CONFIG": given, "GCLOUD_PROJECT": "real-prod"}
            _, output, errors = self.run_exec("sh", "-c", script, variables=variables)
            configuration, old, project = output.split()
            self.assertEqual(json.loads(configuration), {"projectId": project, "storageBucket": "b"}, errors)
            self.assertEqual(old, project)

    def test_curl_pushes_to_apple(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                code, output, errors = self.run_exec("--via", way, "sh", "-c", PUSH)
                self.assertEqual((code, output), (0, "200 2"), errors)
                self.assertEqual(self.counted, "pushpit: 1 push was caught.\n")
                self.assertRegex(errors, rf'^pushpit: Pushes of "sh" go to http://127.0.0.1:\d+ \(via {way}\)\.\n$')

    def test_python_sends_messages_to_google(self) -> None:
        expected = "https://oauth2.googleapis.com/token unsupported_grant_type\n200\n1\n"
        for way in WAYS:
            with self.subTest(way):
                code, output, errors = self.run_exec("--via", way, sys.executable, "-c", REQUESTS)
                self.assertEqual((code, output), (0, expected), errors)

    def test_a_supervised_program_trusts_pushpit_without_variables(self) -> None:
        clean = ["env", *(word for name in TRUST for word in ("-u", name)), "-u", "SSL_CERT_DIR"]
        code, output, errors = self.run_exec("--via", "trace", *clean, "sh", "-c", PUSH)
        self.assertEqual((code, output), (0, "200 2"), errors)
        code, _, errors = self.run_exec("--via", "trace", *clean, sys.executable, "-c", URLLIB)
        self.assertIn("HTTP Error 404", errors)

    def test_a_proxy_that_is_set_gets_no_pushes(self) -> None:
        for way in WAYS:
            for name in ("https_proxy", "HTTPS_PROXY"):
                with self.subTest(way, name=name):
                    variables = {name: "http://127.0.0.1:9", "NO_PROXY": "x.example"}
                    code, output, errors = self.run_exec("--via", way, "sh", "-c", PUSH, variables=variables)
                    self.assertEqual((code, output), (0, "200 2"), errors)

    def test_other_hosts_are_reached_through_the_proxy_that_was_set(self) -> None:
        # A label of a name has at most 63 characters, so no name server is asked.
        fetch = f"curl -sS --max-time 20 --cacert $PUSHPIT_CA https://{'a' * 64}.invalid/livez"
        with Gateway("--proxy-pass") as other:
            at = other.at()
            variables = {"HTTPS_PROXY": f"http://{at.host}:{at.port}"}
            for way in WAYS:
                with self.subTest(way):
                    code, _, errors = self.run_exec("--via", way, "sh", "-c", fetch, variables=variables)
                    # The other proxy answers that there is no such host.
                    self.assertEqual(code, 56, errors)
                    self.assertIn("502", errors)
        code, _, errors = self.run_exec("--via", "proxy", "--proxy-pass=off", "sh", "-c", fetch)
        self.assertIn("403", errors)

    def test_an_api_token_protects_the_proxy_too(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                script = PUSH + '; curl -s -o /dev/null -w " %{http_code}" "$PUSHPIT_URL/api/v1/messages"; echo " $PUSHPIT_API_TOKEN"'
                code, output, errors = self.run_exec("--via", way, "--api-token", "a/b", "--", "sh", "-c", script)
                self.assertEqual((code, output), (0, "200 2 401 a/b\n"), errors)


class Environment(Case):
    def test_every_name_is_set_and_every_file_exists(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                script = "import json, os, pathlib; print(json.dumps([dict(os.environ), [(n, pathlib.Path(v).is_file())" \
                         " for n, v in os.environ.items() if v.startswith('/')]]))"
                _, output, errors = self.run_exec("--via", way, sys.executable, "-c", script, variables={"KEPT": "ä b"})
                found, files = json.loads(output)
                missing = [name for name in OURS + TRUST if not found.get(name)]
                self.assertEqual(missing, [], errors)
                self.assertEqual(found["KEPT"], "ä b")
                lost = [name for name, exists in files if not exists and name in OURS + TRUST]
                self.assertEqual(lost, ["PUSHPIT_CERTS"])
                self.assertEqual(found.get("HTTPS_PROXY"), None if way == "trace" else found["PUSHPIT_URL"])

    def test_arguments_and_variables_keep_their_bytes(self) -> None:
        process = self.start("--certs", self.certificates, "--", "printf", "%s,", b"\xff", "", "--help", text=False)
        self.assertEqual(process.communicate(timeout=PATIENCE)[0], b"\xff,,--help,")

    def test_the_index_names_the_gateway_and_its_files(self) -> None:
        _, output, errors = self.run_exec("sh", "-c", 'cat "$PUSHPIT_CREDENTIALS"; echo "$PUSHPIT_URL"; ls -d "$TMPDIR"/*')
        text, _, rest = output.rpartition("}\n")
        index = json.loads(text + "}")
        url, directory = rest.split()
        self.assertEqual(index["url"], url)
        self.assertEqual(index["fcm"]["serviceAccount"], f"{directory}/service-account.json")
        self.assertEqual(index["apns"]["topic"], TOPIC)

    def test_the_directory_of_certs_stays_as_it_is(self) -> None:
        files = {path: path.read_bytes() for path in Path(self.certificates).iterdir()}
        self.run_exec("true")
        self.assertEqual({path: path.read_bytes() for path in Path(self.certificates).iterdir()}, files)

    def test_bundles_that_are_set_already_count(self) -> None:
        mine = self.temporary / "mine.pem"
        mine.write_text("mine")
        script = 'for f in "$SSL_CERT_FILE" "$NODE_EXTRA_CA_CERTS"; do grep -c mine "$f"; grep -c BEGIN "$f"; done'
        for name, counts in (("SSL_CERT_FILE", "1 1"), ("NODE_EXTRA_CA_CERTS", "1 1"), ("CURL_CA_BUNDLE", "1")):
            with self.subTest(name):
                given = {other: "" for other in TRUST} | {name: str(mine)}
                _, output, errors = self.run_exec("sh", "-c", script, variables=given)
                self.assertIn(counts, " ".join(output.split()), errors)
    def test_authorities_that_cannot_be_included_are_named(self) -> None:
        _, _, errors = self.run_exec("true", variables={"REQUESTS_CA_BUNDLE": "/etc"})
        self.assertIn("pushpit: REQUESTS_CA_BUNDLE names '/etc', which is not a file that can be read", errors)
        # Java may be somewhere else than in the PATH.
        path = "/bin"
        for options, warns in (("-Djavax.net.ssl.trustStore=/mine.p12", True), ("-Xmx1g", False)):
            with self.subTest(options):
                script = 'echo "$JAVA_TOOL_OPTIONS"'
                _, output, errors = self.run_exec("sh", "-c", script, variables={"PATH": path, "JAVA_TOOL_OPTIONS": options})
                self.assertRegex(output, rf"^{options} -Djavax.net.ssl.trustStore={self.temporary}/")
                self.assertEqual("pushpit: JAVA_TOOL_OPTIONS names a trust store, but Java can use only one" in errors, warns)
