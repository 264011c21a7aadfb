<?php
// client: PHP, curl
// package: deb:php-cli php-curl
// version: php --version
// set: `curl.cainfo=certs/ca.pem` in php.ini, or `CURLOPT_CAINFO`; `https://localhost:2197` in the URL
// trap: Without `CURLOPT_PIPEWAIT`, each request of a batch opens a connection.
// trap: After a GOAWAY it repeats most requests, but one may fail with error 16.
// trap: Opens a stream before it reads the first SETTINGS. If these allow no stream, the next request waits without
//   end because of `CURLOPT_PIPEWAIT`.
// trap: A connection has at most 100 streams, whatever its server allows, unless you set
//   `CURLMOPT_MAX_CONCURRENT_STREAMS`. `CURLOPT_PIPEWAIT` makes further requests wait, for seconds.
// 
// accepted       | ok | 1
// bad token      | 400 BadDeviceToken | 1
// unregistered   | 410 Unregistered | 1
// expired        | 403 ExpiredProviderToken; ok | 3
// too large      | 413 PayloadTooLarge | 1
// quota          | 429 TooManyRequests | 1
// unavailable    | 503 ServiceUnavailable | 1
// GOAWAY         | 100 ok or 49..99 ok, 1..51 error 16 | 102 or 51..101
// concurrent     | 500 ok | 501
// unknown reason | 410 ExpiredToken; 403 BadEnvironmentKeyInToken | 2
// first SETTINGS | ok; no end within 8 s on 1 connection | 1

function encode(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function new_bearer(): string {
    $header = encode(json_encode(['alg' => 'ES256', 'kid' => getenv('PUSHPIT_APNS_KEY_ID')]));
    $claims = encode(json_encode(['iss' => getenv('PUSHPIT_APNS_TEAM_ID'), 'iat' => time()]));
    openssl_sign("$header.$claims", $signature, file_get_contents(getenv('PUSHPIT_APNS_KEY')), OPENSSL_ALGO_SHA256);
    return "$header.$claims." . encode($signature);
}

/** Sends to all tokens at once, and returns an outcome for each. */
function push(CurlMultiHandle $client, array $tokens, string $body): array {
    static $bearer = null;
    $bearer ??= new_bearer();
    $transfers = [];
    foreach ($tokens as $token) {
        $transfers[] = $transfer = curl_init("https://api.push.apple.com/3/device/$token");
        curl_setopt_array($transfer, [
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2TLS, CURLOPT_POSTFIELDS => $body, CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PIPEWAIT => true,
            CURLOPT_HTTPHEADER => [
                "authorization: bearer $bearer", 'apns-topic: ' . getenv('PUSHPIT_APNS_TOPIC'), 'apns-push-type: alert'],
        ]);
        curl_multi_add_handle($client, $transfer);
    }
    $failures = [];
    do {
        curl_multi_exec($client, $running);
        while ($message = curl_multi_info_read($client)) $failures[(int)$message['handle']] = $message['result'];
        if ($running) curl_multi_select($client);
    } while ($running);
    $outcomes = [];
    foreach ($transfers as $transfer) {
        $status = curl_getinfo($transfer, CURLINFO_RESPONSE_CODE);
        $reason = json_decode((string)curl_multi_getcontent($transfer))?->reason;
        $failure = $failures[(int)$transfer] ?? 0;
        $outcomes[] = match (true) {
            $failure !== 0 => 'error ' . $failure,
            $status === 200 => 'ok',
            default => "$status $reason",
        };
        if ($status === 403) $bearer = null;
        curl_multi_remove_handle($client, $transfer);
    }
    return $outcomes;
}

function new_client(): CurlMultiHandle {
    $client = curl_multi_init();
    curl_multi_setopt($client, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000);
    return $client;
}

echo '= ready ', getenv('PUSHPIT_URL'), ' ', getenv('PUSHPIT_CA'), "\n";
$client = new_client();
while ($line = fgets(STDIN)) {
    $words = explode(' ', rtrim($line));
    if ($words[0] === 'new') $client = new_client();
    if ($words[0] !== 'send') continue;
    $body = json_encode(['aps' => ['alert' => 'Hello' . str_repeat('x', (int)$words[1])]]);
    foreach (push($client, array_slice($words, 2), $body) as $outcome) echo "= $outcome\n";
}
