#!/usr/bin/env bash
# Checks a --certs directory with the programs people use: openssl, and keytool where there is one.
# USAGE: credentials_check.sh DIR
# Prints one line for each failed check, then "N passed, N failed"; exits 1 if any failed.
set -u

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "USAGE: credentials_check.sh DIR" >&2
    exit 64
fi
dir=$1
password=pushpit
passed=0
failed=0

hosts=(
    localhost
    api.push.apple.com
    api.sandbox.push.apple.com
    api.development.push.apple.com
    api-manage-broadcast.push.apple.com
    api-manage-broadcast.sandbox.push.apple.com
    api-broadcast.push.apple.com
    api-broadcast.sandbox.push.apple.com
    fcm.googleapis.com
    oauth2.googleapis.com
    iid.googleapis.com
    fcmregistrations.googleapis.com
    www.googleapis.com
    accounts.google.com
)

# check WHAT COMMAND...: the command has to succeed.
check() {
    local what=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what: $(tail -n 1 <<<"$output")"
    fi
}

# prints PATTERN COMMAND...: the command has to succeed and to print the pattern.
prints() {
    local pattern=$1 output status
    shift
    output=$("$@" 2>&1)
    status=$?
    [ $status -eq 0 ] && grep -Eq -- "$pattern" <<<"$output" && return
    echo "status $status, /$pattern/ not found; it ended in: $(tail -n 1 <<<"$output")"
    return 1
}

# same COMMAND COMMAND: both have to print the same, and something.
same() {
    local first='' second=''
    first=$(bash -c "$1" 2>&1) && second=$(bash -c "$2" 2>&1) || { tail -n 1 <<<"$first$second"; return 1; }
    [ -n "$first" ] && [ "$first" = "$second" ] || { echo "they differ"; return 1; }
}

verify() { openssl verify -x509_strict -CAfile "$dir/ca.pem" "$@"; }
p12() { openssl pkcs12 -in "$dir/$1" -passin "pass:$password" "${@:2}"; }
extension() { openssl x509 -in "$dir/$1" -noout -text; }
store() { keytool -list -v -storetype PKCS12 -keystore "$dir/$1" -storepass "$password"; }
export dir password

check "ca.pem passes -x509_strict" verify "$dir/ca.pem"
check "ca.pem is an authority for leaves" prints 'CA:TRUE, pathlen:0' extension ca.pem
check "server.pem passes -x509_strict for servers" verify -purpose sslserver "$dir/server.pem"
check "apns-client.pem passes -x509_strict for clients" verify -purpose sslclient "$dir/apns-client.pem"

for host in "${hosts[@]}"; do
    # OpenSSL 3.0 says "does match" or "does NOT match" and succeeds either way.
    check "server.pem is good for $host" prints 'does match' \
        openssl x509 -in "$dir/server.pem" -noout -checkhost "$host"
done
for address in 127.0.0.1 ::1; do
    check "server.pem is good for $address" prints 'does match' \
        openssl x509 -in "$dir/server.pem" -noout -checkip "$address"
done
check "server.pem is not good for every host" bash -c \
    'openssl x509 -in "$dir/server.pem" -noout -checkhost example.org | grep "does NOT match"'

if [ -e "$dir/server-key.pem" ]; then
    check "server-key.pem is server.pem's" same \
        'openssl x509 -in "$dir/server.pem" -noout -pubkey' 'openssl pkey -in "$dir/server-key.pem" -pubout'
fi
check "apns-client.pem holds the certificate's key" same \
    'openssl x509 -in "$dir/apns-client.pem" -noout -pubkey' 'openssl pkey -in "$dir/apns-client.pem" -pubout'
check "apns-client.pem names its topic" prints 'UID ?= ?[^,]+, ?CN ?= ?Apple' \
    openssl x509 -in "$dir/apns-client.pem" -noout -subject
for oid in 1 2 6; do
    check "apns-client.pem has Apple's extension .6.3.$oid" prints "1\.2\.840\.113635\.100\.6\.3\.$oid:" \
        extension apns-client.pem
done

check "ca-key.pem is ca.pem's" same \
    'openssl x509 -in "$dir/ca.pem" -noout -pubkey' 'openssl pkey -in "$dir/ca-key.pem" -pubout'
check "apns-client.p12 is for older readers" prints 'MAC: sha1.*|pbeWithSHA1And3-KeyTripleDES-CBC' \
    p12 apns-client.p12 -info -noout
check "apns-client.p12 holds one certificate, as Go's reader demands" same \
    'openssl pkcs12 -in "$dir/apns-client.p12" -passin "pass:$password" -nokeys | grep -c BEGIN' 'echo 1'
check "apns-client.p12 opens" p12 apns-client.p12 -noout
check "apns-client.p12 stays shut for another password" bash -c \
    '! openssl pkcs12 -in "$dir/apns-client.p12" -passin pass:other -noout'
check "apns-client.p12 holds the key" prints 'BEGIN PRIVATE KEY' p12 apns-client.p12 -nodes -nocerts
check "apns-client.p12 holds apns-client.pem's certificate" same \
    'openssl pkcs12 -in "$dir/apns-client.p12" -passin "pass:$password" -nokeys -clcerts | openssl x509 -outform PEM' \
    'openssl x509 -in "$dir/apns-client.pem" -outform PEM'
check "ca.p12 opens" p12 ca.p12 -noout
check "ca.p12 holds ca.pem's certificate" same \
    'openssl pkcs12 -in "$dir/ca.p12" -passin "pass:$password" -nokeys | openssl x509 -outform PEM' \
    'openssl x509 -in "$dir/ca.pem" -outform PEM'

keys=("$dir"/AuthKey_*.p8)
for key in "${keys[@]}"; do
    name=$(basename "$key")
    check "$name is PKCS#8" prints '^-----BEGIN PRIVATE KEY-----$' head -n 1 "$key"
    check "$name is a P-256 key" prints 'prime256v1' openssl pkey -in "$key" -noout -text
done

if command -v keytool >/dev/null; then
    check "Java trusts ca.p12" prints 'trustedCertEntry' store ca.p12
    check "Java finds the key of apns-client.p12" prints 'PrivateKeyEntry' store apns-client.p12
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
