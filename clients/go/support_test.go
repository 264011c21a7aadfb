package pushpit_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"testing"
	"time"

	"pushpit.test/pushpit"
)

// sendFCM sends a message as a backend would, and returns the answer.
func sendFCM(t testing.TB, app *pushpit.App, message pushpit.JSON) *http.Response {
	t.Helper()
	return sendFCMAs(t, app, "any", message)
}

func sendFCMAs(t testing.TB, app *pushpit.App, bearer string, message pushpit.JSON) *http.Response {
	t.Helper()
	body, _ := json.Marshal(pushpit.JSON{"message": message})
	request, err := http.NewRequest("POST", app.Gateway.URL()+"/v1/projects/"+app.Project+"/messages:send", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+bearer)
	request.Header.Set("Content-Type", "application/json")
	return do(t, http.DefaultClient, request)
}

func do(t testing.TB, client *http.Client, request *http.Request) *http.Response {
	t.Helper()
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer
}

// accessToken is for the app's service account.
func accessToken(t testing.TB, app *pushpit.App) string {
	t.Helper()
	text, err := os.ReadFile(app.Credentials().FCM.ServiceAccount)
	if err != nil {
		t.Fatal(err)
	}
	var account map[string]string
	json.Unmarshal(text, &account)
	block, _ := pem.Decode([]byte(account["private_key"]))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	encode, now := base64.RawURLEncoding.EncodeToString, time.Now().Unix()
	claims := fmt.Sprintf(`{"iss":"%s","aud":"%s","iat":%d,"exp":%d,"scope":"https://www.googleapis.com/auth/firebase.messaging"}`,
		account["client_email"], account["token_uri"], now, now+3600)
	signed := encode([]byte(`{"alg":"RS256"}`)) + "." + encode([]byte(claims))
	digest := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.PostForm(account["token_uri"], url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {signed + "." + encode(signature)}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var said struct {
		Token string `json:"access_token"`
	}
	json.NewDecoder(answer.Body).Decode(&said)
	return said.Token
}

// providerToken is signed with the key of the app.
func providerToken(t testing.TB, app *pushpit.App) string {
	t.Helper()
	apns := app.Credentials().APNs
	text, err := os.ReadFile(apns.Key)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":"%s"}`, apns.KeyID))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":"%s","iat":%d}`, apns.TeamID, time.Now().Unix())))
	digest := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), digest[:])
	if err != nil {
		t.Fatal(err)
	}
	return signed + "." + encode(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

// sendAPNs sends a push over TLS and HTTP/2, and returns the status and the reason.
func sendAPNs(t testing.TB, app *pushpit.App, token, providerToken string, payload pushpit.JSON) (int, string) {
	t.Helper()
	authority, err := os.ReadFile(app.Gateway.Credentials().CA)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	body, _ := json.Marshal(payload)
	request, err := http.NewRequest("POST", app.Gateway.PushURL()+"/3/device/"+token, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "bearer "+providerToken)
	request.Header.Set("apns-topic", app.ID)
	answer := do(t, &http.Client{Transport: transport}, request)
	var said struct{ Reason string }
	json.NewDecoder(answer.Body).Decode(&said)
	return answer.StatusCode, said.Reason
}

// fakeTest takes what a failed test would say.
type fakeTest struct {
	testing.TB
	text string
}

func (f *fakeTest) Helper() {}

func (f *fakeTest) Fatal(values ...any) {
	f.text = fmt.Sprint(values...)
	runtime.Goexit()
}

func (f *fakeTest) Fatalf(format string, values ...any) { f.Fatal(fmt.Sprintf(format, values...)) }

// failure is what the body says when it fails its test; "" if it does not fail.
func failure(t *testing.T, body func(t testing.TB)) string {
	fake := &fakeTest{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		body(fake)
	}()
	<-done
	return fake.text
}
