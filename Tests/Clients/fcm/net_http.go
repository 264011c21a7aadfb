// client: Go, net/http
// package: deb:golang-go
// version: go version
// set: `SSL_CERT_FILE=certs/ca.pem`; `https://localhost:2197` in the URL
// trap: Uses HTTP/2. After a GOAWAY, it repeats the requests on streams above the last one that the GOAWAY names. Requests
//   below it that have no answer yet fail.
//
// accepted     | ok | 1
// bad token    | 400 INVALID_ARGUMENT | 1
// unregistered | 404 NOT_FOUND | 1
// expired      | 401 UNAUTHENTICATED; ok | 3
// too large    | 400 INVALID_ARGUMENT | 1
// quota        | 429 RESOURCE_EXHAUSTED | 1
// unavailable  | 503 UNAVAILABLE | 1
// GOAWAY       | 100 ok or 49..99 ok, 1..51 http2: server sent GOAWAY and closed the connection | 102 or 51..102
// concurrent   | 500 ok | 501

package main

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
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
	send   = "https://fcm.googleapis.com/v1/projects/" + os.Getenv("PUSHPIT_FCM_PROJECT") + "/messages:send"
)

func check(failure error) {
	if failure != nil {
		panic(failure)
	}
}

type serviceAccount struct {
	Email    string `json:"client_email"`
	Key      string `json:"private_key"`
	TokenURL string `json:"token_uri"`
}

func getBearer() string {
	var account serviceAccount
	file, failure := os.ReadFile(os.Getenv("GOOGLE_APPLICATION_CREDENTIALS"))
	check(failure)
	check(json.Unmarshal(file, &account))
	block, _ := pem.Decode([]byte(account.Key))
	key, failure := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(failure)
	now := time.Now().Unix()
	header, _ := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT"})
	claims, _ := json.Marshal(map[string]any{
		"iss": account.Email, "scope": "https://www.googleapis.com/auth/firebase.messaging",
		"aud": account.TokenURL, "iat": now, "exp": now + 3600,
	})
	text := encode(header) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	signature, failure := rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	check(failure)
	form := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {text + "." + encode(signature)}}
	answer, failure := http.PostForm(account.TokenURL, form)
	check(failure)
	defer answer.Body.Close()
	var said struct {
		Token string `json:"access_token"`
	}
	check(json.NewDecoder(answer.Body).Decode(&said))
	return said.Token
}

func push(token, text string) string {
	lock.Lock()
	if bearer == "" {
		bearer = getBearer()
	}
	body, _ := json.Marshal(map[string]any{"message": map[string]any{"token": token, "notification": map[string]string{"body": text}}})
	request, failure := http.NewRequest("POST", send, bytes.NewReader(body))
	check(failure)
	request.Header.Set("authorization", "Bearer "+bearer)
	lock.Unlock()
	request.Header.Set("content-type", "application/json")
	answer, failure := http.DefaultClient.Do(request)
	var inner *url.Error
	if errors.As(failure, &inner) {
		return strings.Split(inner.Err.Error(), ";")[0]
	}
	defer answer.Body.Close()
	if answer.StatusCode == 200 {
		return "ok"
	}
	var said struct{ Error struct{ Status string } }
	check(json.NewDecoder(answer.Body).Decode(&said))
	if answer.StatusCode == 401 {
		lock.Lock()
		bearer = ""
		lock.Unlock()
	}
	return fmt.Sprint(answer.StatusCode, " ", said.Error.Status)
}

func main() {
	fmt.Println("= ready", os.Getenv("PUSHPIT_URL"), os.Getenv("PUSHPIT_CA"))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		if words[0] != "send" {
			continue
		}
		size, failure := strconv.Atoi(words[1])
		check(failure)
		text := "Hello" + strings.Repeat("x", size)
		outcomes := make([]string, len(words)-2)
		var group sync.WaitGroup
		for number, token := range words[2:] {
			number, token := number, token
			group.Add(1)
			go func() { defer group.Done(); outcomes[number] = push(token, text) }()
		}
		group.Wait()
		fmt.Println("= " + strings.Join(outcomes, "\n= "))
	}
}
