package pushpit

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
)

// CallRefused is the gateway's refusal of a call of its control API, or of a message of a device's socket.
type CallRefused struct {
	Call   string
	Status int
	// Code is a word such as "badField".
	Code    string
	Message string
	// Pointer is a JSON pointer to the member that is wrong.
	Pointer string
}

func (c *CallRefused) Error() string {
	place := ""
	if c.Pointer != "" {
		place = fmt.Sprintf(" (at %s)", c.Pointer)
	}
	return fmt.Sprintf("%s was refused with %d %s: %s%s", c.Call, c.Status, c.Code, c.Message, place)
}

// api is the control API of a gateway.
type api struct {
	url    *url.URL
	token  string
	tls    *tls.Config
	client *http.Client

	mutex sync.Mutex
	rules map[string]rule
}

// newAPI returns the control API at an address, with a token that may be "". For a gateway on this machine it uses http, because faults can break TLS.
func newAPI(address, token string) (*api, error) {
	location, err := url.Parse(address)
	if err != nil || location.Host == "" || location.Scheme != "http" && location.Scheme != "https" {
		return nil, fmt.Errorf("'%s' is not the address of a gateway: write it like http://127.0.0.1:2197", address)
	}
	host := location.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		location.Scheme = "http"
	}
	location.Path = ""
	a := &api{url: location, token: token, tls: &tls.Config{NextProtos: []string{"http/1.1"}}}
	if file := os.Getenv("PUSHPIT_CA"); location.Scheme == "https" && file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		a.tls.RootCAs = x509.NewCertPool()
		a.tls.RootCAs.AppendCertsFromPEM(text)
	}
	a.client = &http.Client{Transport: &http.Transport{TLSClientConfig: a.tls, MaxIdleConnsPerHost: 8}}
	return a, nil
}

// givenToken is the API token in the environment, or in the file that it names.
func givenToken() (string, error) {
	token, file := os.Getenv("PUSHPIT_API_TOKEN"), os.Getenv("PUSHPIT_API_TOKEN_FILE")
	if token != "" || file == "" {
		return token, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("PUSHPIT_API_TOKEN_FILE names '%s', which can't be read: %w", file, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// call reads the JSON of the answer into result, which can be nil. Statuses other than 2xx are errors, unless accepted.
func (a *api) call(method, path string, body, result any, accepted ...int) error {
	status, text, err := a.send(method, "/api/v1"+path, body, "")
	if err != nil {
		return err
	}
	if status >= 300 && !contains(accepted, status) {
		return refusal(method+" /api/v1"+path, status, text)
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, result)
}

// pages returns the rows of all pages of a list.
func pages[Row any](a *api, path, name string, query url.Values) ([]Row, error) {
	rows := []Row{}
	query = copied(query)
	query.Set("limit", "1000")
	for {
		var page map[string]json.RawMessage
		if err := a.call("GET", path+"?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		var more []Row
		if err := json.Unmarshal(page[name], &more); err != nil {
			return nil, err
		}
		rows = append(rows, more...)
		var next *string
		if json.Unmarshal(page["next"], &next); next == nil {
			return rows, nil
		}
		query.Set("cursor", *next)
	}
}

func copied(query url.Values) url.Values {
	all := url.Values{}
	for name, values := range query {
		all[name] = values
	}
	return all
}

// events returns what has happened so far, oldest first.
func (a *api) events(query url.Values) ([]Event, error) {
	query = copied(query)
	query.Set("since", "0")
	query.Set("follow", "false")
	path := "/api/v1/events?" + query.Encode()
	status, text, err := a.send("GET", path, nil, "application/x-ndjson")
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, refusal("GET "+path, status, text)
	}
	events := []Event{}
	for _, line := range strings.Split(string(text), "\n") {
		var event Event
		if err := json.Unmarshal([]byte(line), &event); err == nil && event.Seq != 0 {
			events = append(events, event)
		}
	}
	return events, nil
}

func (a *api) send(method, path string, body any, accept string) (int, []byte, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	request, err := http.NewRequest(method, a.url.String()+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	request.Header = a.fields()
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	answer, err := a.client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("the gateway at %s does not answer %s %s: %w", a.url, method, path, err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	return answer.StatusCode, content, err
}

func (a *api) fields() http.Header {
	fields := http.Header{}
	if a.token != "" {
		fields.Set("Authorization", "Bearer "+a.token)
	}
	return fields
}

func refusal(call string, status int, text []byte) error {
	var answer struct {
		Error struct{ Code, Message, Pointer string }
	}
	if json.Unmarshal(text, &answer) != nil || answer.Error.Message == "" {
		answer.Error.Message = string(text[:len(text)-max(0, len(text)-200)])
	}
	return &CallRefused{call, status, answer.Error.Code, answer.Error.Message, answer.Error.Pointer}
}

func contains(numbers []int, wanted int) bool {
	for _, number := range numbers {
		if number == wanted {
			return true
		}
	}
	return false
}
