package pushpit

import (
	"encoding/base32"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

const googleTokenURL = "https://oauth2.googleapis.com/token"

// identity is a key id and a service account that one app has for a time, and can expire without disturbing others.
type identity struct {
	keyID   string
	account JSON
}

func (i *identity) project() string { return "pushpit-" + strings.ToLower(i.keyID) }

func (i *identity) email() string { return "sender@" + i.project() + ".iam.gserviceaccount.com" }

// Credentials returns what a sender needs to push to this app: a key and a service account that no other open app has.
func (a *App) Credentials() Credentials {
	a.t().Helper()
	a.borrowIdentity()
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
	a.Gateway.Call("POST", "/credentials/expire", JSON{"keyId": a.identity.keyID, "project": a.identity.project()}, nil)
}

// borrowIdentity takes a free identity, or registers one. So the gateway needs only as many identities as apps are open
// at a time.
func (a *App) borrowIdentity() {
	a.t().Helper()
	if a.identity != nil {
		return
	}
	a.Gateway.mutex.Lock()
	if last := len(a.Gateway.free) - 1; last >= 0 {
		a.identity, a.Gateway.free = a.Gateway.free[last], a.Gateway.free[:last]
	}
	a.Gateway.mutex.Unlock()
	if a.identity == nil {
		a.identity = a.Gateway.registerIdentity()
	}
}

func (g *Gateway) registerIdentity() *identity {
	g.t.Helper()
	common := g.Credentials()
	key, err := os.ReadFile(common.APNs.Key)
	g.check(err)
	account, err := os.ReadFile(common.FCM.ServiceAccount)
	g.check(err)
	made := &identity{keyID: base32.StdEncoding.EncodeToString(randomBytes(10))[:10]}
	g.check(json.Unmarshal(account, &made.account))
	g.Call("POST", "/credentials/apns-keys", JSON{"keyId": made.keyID, "teamId": common.APNs.TeamID, "key": string(key)}, nil)
	g.Call("POST", "/credentials/service-accounts", merged(made.account, JSON{"client_email": made.email()}), nil)
	return made
}
