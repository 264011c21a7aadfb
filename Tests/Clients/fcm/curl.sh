#!/usr/bin/env bash
# client: curl
# package: deb:curl
# width: 100
# version: curl --version
# set: `--cacert certs/ca.pem`, and `https://localhost:2197` in the URL
# trap: With `--data` alone, the content type is that of a form, and FCM answers 400.
#
# accepted     | ok | 1
# bad token    | 400 INVALID_ARGUMENT | 1
# unregistered | 404 NOT_FOUND | 1
# expired      | 401 UNAUTHENTICATED; ok | 3
# too large    | 400 INVALID_ARGUMENT | 1
# quota        | 429 RESOURCE_EXHAUSTED | 1
# unavailable  | 503 UNAVAILABLE | 1
# GOAWAY       | 100 ok or 49..99 ok, 1..51 exit 16 | 102 or 51..101
# concurrent   | 500 ok | 501
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
url=https://fcm.googleapis.com/v1/projects/$PUSHPIT_FCM_PROJECT/messages:send
bearer=

encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
member() { sed -nE 's/.*"'"$1"'": ?"([^"]*)".*/\1/p' "$2" | head -n 1; }
get_bearer() {
    local account=$GOOGLE_APPLICATION_CREDENTIALS now claims
    now=$(date +%s)
    printf '%b' "$(member private_key "$account")" >"$work/key"
    claims=$(printf '{"alg":"RS256","typ":"JWT"}' | encode).$(
        printf '{"iss":"%s","scope":"https://www.googleapis.com/auth/firebase.messaging","aud":"%s","iat":%d,"exp":%d}' \
            "$(member client_email "$account")" "$(member token_uri "$account")" "$now" $((now + 3600)) | encode)
    claims=$claims.$(printf %s "$claims" | openssl dgst -sha256 -sign "$work/key" | encode)
    curl --silent --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer --data "assertion=$claims" \
        "$(member token_uri "$account")" >"$work/answer"
    bearer=$(member access_token "$work/answer")
}

# SIZE TOKEN…: all at once, each with its own body.
push() {
    local text number token status end
    text=$(head -c "$1" /dev/zero | tr '\0' x)
    shift
    [ -n "$bearer" ] || get_bearer
    number=0
    for token in "$@"; do
        [ $number = 0 ] || echo next
        number=$((number + 1))
        printf '{"message":{"token":"%s","notification":{"body":"Hello%s"}}}' "$token" "$text" >"$work/body$number"
        printf '%s = "%s"\n' url "$url" data "@$work/body$number" output "$work/$number" header "authorization: Bearer $bearer" \
            header 'content-type: application/json' write-out "$number %{http_code} %{exitcode}\\n"
        echo http2
    done >"$work/transfers"
    curl --silent --parallel --parallel-max 100 --config "$work/transfers" 2>"$work/errors" | sort -n >"$work/said"
    while read -r number status end; do
        case $status,$end in
            200,0) echo '= ok' ;;
            *,0) echo "= $status $(member status "$work/$number")" ;;
            *) echo "= exit $end" ;;
        esac
        case $status in 401) bearer= ;; esac
    done <"$work/said"
}

echo "= ready $PUSHPIT_URL $PUSHPIT_CA"
while read -r order words; do
    # shellcheck disable=SC2086  # The words are separate arguments.
    [ "$order" != send ] || push $words
done
