// client: Go, net/http
// package: deb:golang-go
// version: go version
// set: `SSL_CERT_FILE=certs/ca.pem`; `https://localhost:2197` in the URL
// trap: Without `SSL_CERT_FILE`, the error is `x509: certificate signed by unknown authority`.
// trap: After a GOAWAY, it repeats the requests on streams above the last one that the GOAWAY names. Requests below it
//   that have no answer yet fail.
// trap: Opens a stream before it reads the first SETTINGS. If these allow no stream, the next request opens another
//   connection.
//
// accepted       | ok | 1
// bad token      | 400 BadDeviceToken | 1
// unregistered   | 410 Unregistered | 1
// expired        | 403 ExpiredProviderToken; ok | 3
// too large      | 413 PayloadTooLarge | 1
// quota          | 429 TooManyRequests | 1
// unavailable    | 503 ServiceUnavailable | 1
// GOAWAY         | 100 ok or 49..99 ok, 1..51 http2: server sent GOAWAY and closed the connection | 102 or 51..102
// concurrent     | 500 ok | 501
// unknown reason | 410 ExpiredToken; 403 BadEnvironmentKeyInToken | 2
// first SETTINGS | ok; ok on 2..9 connections | 2

package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	encode = base64.RawURLEncoding.EncodeToString
	lock   sync.Mutex
	bearer string
)

func check(failure error) {
	if failure != nil {
		panic(failure)
	}
}

func sign() string {
	file, failure := os.ReadFile(os.Getenv("PUSHPIT_APNS_KEY"))
	check(failure)
	block, _ := pem.Decode(file)
	key, failure := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(failure)
	header, _ := json.Marshal(map[string]string{"alg": "ES256", "kid": os.Getenv("PUSHPIT_APNS_KEY_ID")})
	claims, _ := json.Marshal(map[string]any{"iss": os.Getenv("PUSHPIT_APNS_TEAM_ID"), "iat": time.Now().Unix()})
	text := encode(header) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, failure := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), digest[:])
	check(failure)
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature)
}

func push(token, body string) string {
	lock.Lock()
	if bearer == "" {
		bearer = sign()
	}
	request, failure := http.NewRequest("POST", "https://api.push.apple.com/3/device/"+token, strings.NewReader(body))
	check(failure)
	request.Header.Set("authorization", "bearer "+bearer)
	lock.Unlock()
	request.Header.Set("apns-topic", os.Getenv("PUSHPIT_APNS_TOPIC"))
	request.Header.Set("apns-push-type", "alert")
	answer, failure := http.DefaultClient.Do(request)
	var inner *url.Error
	if errors.As(failure, &inner) {
		return strings.Split(inner.Err.Error(), ";")[0]
	}
	defer answer.Body.Close()
	if answer.StatusCode == 200 {
		return "ok"
	}
	var said struct{ Reason string }
	check(json.NewDecoder(answer.Body).Decode(&said))
	if answer.StatusCode == 403 {
		lock.Lock()
		bearer = ""
		lock.Unlock()
	}
	return fmt.Sprint(answer.StatusCode, " ", said.Reason)
}

func main() {
	fmt.Println("= ready", os.Getenv("PUSHPIT_URL"), os.Getenv("PUSHPIT_CA"))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		if words[0] == "new" {
			http.DefaultClient.CloseIdleConnections()
		}
		if words[0] != "send" {
			continue
		}
		size, failure := strconv.Atoi(words[1])
		check(failure)
		body := `{"aps":{"alert":"Hello` + strings.Repeat("x", size) + `"}}`
		outcomes := make([]string, len(words)-2)
		var group sync.WaitGroup
		for number, token := range words[2:] {
			number, token := number, token
			group.Add(1)
			go func() { defer group.Done(); outcomes[number] = push(token, body) }()
		}
		group.Wait()
		fmt.Println("= " + strings.Join(outcomes, "\n= "))
	}
}
