package pushpit

import (
	"net/url"
	"sync"
)

// server is a gateway that several tests may use.
type server struct {
	api     *api
	program *program

	mutex    sync.Mutex
	openApps int
	// Identities that no app has now.
	free []*identity
}

var (
	sharedOnce  sync.Once
	shared      *server
	errOfShared error
)

func startServer(options []string) (*server, error) {
	p, err := startProgram(options)
	if err != nil {
		return nil, err
	}
	location, err := url.Parse(p.ready.URL)
	if err != nil {
		p.stop()
		return nil, err
	}
	s, err := connect("http://127.0.0.1:" + location.Port())
	if err != nil {
		p.stop()
		return nil, err
	}
	s.program = p
	return s, nil
}

func connect(address string) (*server, error) {
	a, err := newAPI(address)
	if err != nil {
		return nil, err
	}
	return &server{api: a}, a.call("GET", "/stats", nil, nil)
}

func (s *server) stop() {
	s.api.client.CloseIdleConnections()
	s.program.stop()
}

// IsShared says whether others may use the gateway too. One that was started here belongs to this process alone.
func (s *server) IsShared() bool { return s.program == nil }

// URL is for the control API and the gateway's pages: no certificate is needed on this machine.
func (s *server) URL() string { return s.api.url.String() }

// PushURL is for senders whose host can be set. They have to trust Credentials().CA.
func (s *server) PushURL() string {
	host := s.api.url.Host
	if s.api.url.Hostname() == "127.0.0.1" {
		host = "localhost:" + s.api.url.Port()
	}
	return "https://" + host
}

// Log is what a gateway that was started here has logged.
func (s *server) Log() string {
	if s.program == nil {
		return ""
	}
	return s.program.log()
}
