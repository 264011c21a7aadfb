<?php
// client: PHP, curl
// package: deb:php-cli php-curl
// width: 100
// version: php --version
// set: `curl.cainfo=certs/ca.pem` in php.ini, or `CURLOPT_CAINFO`; `https://localhost:2197` in the URL
// trap: Without a `content-type`, curl sends that of a form, and FCM answers 400.
// trap: Without `CURLOPT_PIPEWAIT`, each request of a batch opens a connection. With it, requests beyond the stream limit,
//   100, wait for seconds; here it gets 100 at a time.
// trap: After a GOAWAY it repeats most requests, but one may fail with error 16.
// 
// accepted     | ok | 1
// bad token    | 400 INVALID_ARGUMENT | 1
// unregistered | 404 NOT_FOUND | 1
// expired      | 401 UNAUTHENTICATED; ok | 3
// too large    | 400 INVALID_ARGUMENT | 1
// quota        | 429 RESOURCE_EXHAUSTED | 1
// unavailable  | 503 UNAVAILABLE | 1
// GOAWAY       | 100 ok or 49..99 ok, 1..51 error 16 | 102 or 51..101
// concurrent   | 500 ok | 501

function encode(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function get_bearer(): string {
    $account = json_decode(file_get_contents(getenv('GOOGLE_APPLICATION_CREDENTIALS')));
    $now = time();
    $text = encode(json_encode(['alg' => 'RS256', 'typ' => 'JWT'])) . '.' . encode(json_encode([
        'iss' => $account->client_email, 'scope' => 'https://www.googleapis.com/auth/firebase.messaging',
        'aud' => $account->token_uri, 'iat' => $now, 'exp' => $now + 3600]));
    openssl_sign($text, $signature, $account->private_key, OPENSSL_ALGO_SHA256);
    $transfer = curl_init($account->token_uri);
    curl_setopt_array($transfer, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_POSTFIELDS => http_build_query([
            'grant_type' => 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'assertion' => "$text." . encode($signature)]),
    ]);
    return json_decode(curl_exec($transfer))->access_token;
}

/** Sends to all tokens at once, and returns an outcome for each. */
function push(CurlMultiHandle $client, array $tokens, string $text): array {
    static $bearer = null;
    $bearer ??= get_bearer();
    $transfers = [];
    foreach ($tokens as $token) {
        $transfers[] = $transfer = curl_init(
            'https://fcm.googleapis.com/v1/projects/' . getenv('PUSHPIT_FCM_PROJECT') . '/messages:send');
        curl_setopt_array($transfer, [
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2TLS, CURLOPT_RETURNTRANSFER => true, CURLOPT_PIPEWAIT => true,
            CURLOPT_POSTFIELDS => json_encode(['message' => ['token' => $token, 'notification' => ['body' => $text]]]),
            CURLOPT_HTTPHEADER => ["authorization: Bearer $bearer", 'content-type: application/json'],
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
        $failure = $failures[(int)$transfer] ?? 0;
        $outcomes[] = match (true) {
            $failure !== 0 => 'error ' . $failure,
            $status === 200 => 'ok',
            default => "$status " . json_decode(curl_multi_getcontent($transfer))->error->status,
        };
        if ($status === 401) $bearer = null;
        curl_multi_remove_handle($client, $transfer);
    }
    return $outcomes;
}

echo '= ready ', getenv('PUSHPIT_URL'), ' ', getenv('PUSHPIT_CA'), "\n";
$client = curl_multi_init();
while ($line = fgets(STDIN)) {
    $words = explode(' ', rtrim($line));
    if ($words[0] !== 'send') continue;
    $text = 'Hello' . str_repeat('x', (int)$words[1]);
    foreach (array_chunk(array_slice($words, 2), 100) as $tokens)
        foreach (push($client, $tokens, $text) as $outcome) echo "= $outcome\n";
}
