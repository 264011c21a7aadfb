#!/usr/bin/env bash
# client: curl
# package: deb:curl
# width: 50
# version: curl --version
# set: `--cacert certs/ca.pem`, and `https://localhost:2197` in the URL
# trap: Opens a connection for each transfer beyond the stream limit, which is 1 until the first push of a provider
#   token is accepted. For each of them it reads all CA certificates, which takes 30 ms of CPU time. With hundreds of
#   transfers, handshakes then take longer than the server waits for them; so `--parallel-max` is 50 here.
# trap: After a GOAWAY it repeats most requests, but one may end with exit code 16.
# trap: Opens a stream before it reads the first SETTINGS.
#
# accepted       | ok | 1
# bad token      | 400 BadDeviceToken | 1
# unregistered   | 410 Unregistered | 1
# expired        | 403 ExpiredProviderToken; ok | 3
# too large      | 413 PayloadTooLarge | 1
# quota          | 429 TooManyRequests | 1
# unavailable    | 503 ServiceUnavailable | 1
# GOAWAY         | 100 ok or 49..99 ok, 1..51 exit 16 | 102 or 51..101
# concurrent     | 500 ok | 501
# unknown reason | 410 ExpiredToken; 403 BadEnvironmentKeyInToken | 2
# first SETTINGS | ok; ok on 2 connections | 2
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
url=https://api.push.apple.com/3/device
bearer=

encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
# As Apple's example for the shell does it: the signature is in DER.
sign() {
    local claims
    claims=$(printf '{"alg":"ES256","kid":"%s"}' "$PUSHPIT_APNS_KEY_ID" | encode).$(
        printf '{"iss":"%s","iat":%d}' "$PUSHPIT_APNS_TEAM_ID" "$(date +%s)" | encode)
    bearer=$claims.$(printf %s "$claims" | openssl dgst -sha256 -sign "$PUSHPIT_APNS_KEY" | encode)
}

# Sends to all tokens at once: curl's braces make a URL of each.
send() {
    local size=$1 token status end reason
    shift
    [ -n "$bearer" ] || sign
    printf '{"aps":{"alert":"Hello%s"}}' "$(head -c "$size" /dev/zero | tr '\0' x)" >"$work/body"
    curl --silent --globoff --parallel --parallel-max 50 --http2 --data "@$work/body" \
        --header "authorization: bearer $bearer" --header "apns-topic: $PUSHPIT_APNS_TOPIC" --header 'apns-push-type: alert' \
        --write-out '%{url_effective} %{http_code} %{exitcode}\n' "$@" >"$work/said" 2>"$work/errors"
}
# SIZE TOKEN…
push() {
    local size=$1 status end token reason
    shift
    local transfers=()
    for token in "$@"; do transfers+=(--output "$work/$token" "$url/$token"); done
    send "$size" "${transfers[@]}"
    declare -A ends=()
    while read -r token status end; do ends[${token##*/}]="$status $end"; done <"$work/said"
    for token in "$@"; do
        read -r status end <<<"${ends[$token]:-0 none}"
        reason=$(sed -nE 's/.*"reason": ?"([A-Za-z]*)".*/\1/p' "$work/$token" 2>/dev/null)
        case $status,$end in
            200,0) echo '= ok' ;;
            *,0) echo "= $status $reason" ;;
            *) echo "= exit $end" ;;
        esac
        case $status in 403) bearer= ;; esac
        rm -f "$work/$token"
    done
}

echo "= ready $PUSHPIT_URL $PUSHPIT_CA"
while read -r order words; do
    # shellcheck disable=SC2086  # The words are separate arguments.
    [ "$order" != send ] || push $words
done
