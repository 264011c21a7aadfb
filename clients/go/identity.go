package pushpit

import (
	"encoding/base32"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const googleTokenURL = "https://oauth2.googleapis.com/token"

// identity is a key and a service account of one app, which can expire without disturbing others.
type identity struct {
	keyID, project string
	account        JSON
}

// email is how the gateway knows the account and its project.
func (i *identity) email() string {
	return "sender-" + strings.ToLower(i.keyID) + "@" + i.project + ".iam.gserviceaccount.com"
}

// Credentials returns what a sender needs to push to this app: a key and a service account that no other open app has.
func (a *App) Credentials() Credentials {
	a.t().Helper()
	a.registerIdentity()
	credentials := a.Gateway.Credentials()
	account := merged(a.identity.account, JSON{"client_email": a.identity.email(), "project_id": a.Project})
	// Under "pushpit exec" it is Google's. Elsewhere a sender reaches this address, and on this machine without a certificate.
	if account["token_uri"] != googleTokenURL {
		account["token_uri"] = a.Gateway.URL() + "/token"
	}
	text, err := json.MarshalIndent(account, "", "  ")
	a.Gateway.check(err)
	credentials.FCM.ServiceAccount = filepath.Join(a.t().TempDir(), "service-account.json")
	a.Gateway.check(os.WriteFile(credentials.FCM.ServiceAccount, text, 0o600))
	credentials.FCM.Project = a.Project
	credentials.APNs.KeyID = a.identity.keyID
	credentials.APNs.Topic = a.ID
	return credentials
}

// ExpireCredentials makes all tokens that were made with Credentials invalid, so the sender has to renew them. If no one has
// called Credentials, it fails the test.
func (a *App) ExpireCredentials() {
	a.t().Helper()
	if a.identity == nil {
		a.t().Fatalf("no sender has the credentials of %s: sign with those of app.Credentials(), which this call expires, or expire "+
			`the tokens of every sender with app.Gateway.Call("POST", "/credentials/expire", nil, nil)`, a.ID)
	}
	a.Gateway.Call("POST", "/credentials/expire", JSON{"keyId": a.identity.keyID, "clientEmail": a.identity.email()}, nil)
}

// registerIdentity makes an identity, unless the app has one.
func (a *App) registerIdentity() {
	a.t().Helper()
	if a.identity != nil {
		return
	}
	common := a.Gateway.Credentials()
	key, err := os.ReadFile(common.APNs.Key)
	a.Gateway.check(err)
	account, err := os.ReadFile(common.FCM.ServiceAccount)
	a.Gateway.check(err)
	made := &identity{keyID: base32.StdEncoding.EncodeToString(randomBytes(10))[:10], project: a.Project}
	a.Gateway.check(json.Unmarshal(account, &made.account))
	// Set before the calls, so that the end of the test removes what the first one has added even if the second one fails.
	a.identity = made
	a.Gateway.Call("POST", "/credentials/apns-keys", JSON{"keyId": made.keyID, "teamId": common.APNs.TeamID, "key": string(key)}, nil)
	a.Gateway.Call("POST", "/credentials/service-accounts", merged(made.account, JSON{"client_email": made.email()}), nil)
}

// removeIdentity makes the gateway forget the identity of the app.
func (a *App) removeIdentity() {
	a.t().Helper()
	if a.identity == nil {
		return
	}
	for _, path := range []string{"apns-keys/" + a.identity.keyID, "service-accounts/" + a.identity.email()} {
		// 404: somebody has removed it, or the gateway was started again.
		if err := a.Gateway.api.call("DELETE", "/credentials/"+path, nil, nil, http.StatusNotFound); err != nil {
			a.t().Error(err)
		}
	}
}
