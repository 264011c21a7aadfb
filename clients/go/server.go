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
	// The app that uses the clock, and a channel that is closed when it no longer does.
	appWithClock *App
	clockIsFree  chan struct{}
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
	s, err := connectWith(tokenIn(options), "http://127.0.0.1:"+location.Port())
	if err != nil {
		p.stop()
		return nil, err
	}
	s.program = p
	return s, nil
}

// connect uses a gateway that is already running, with the token in the environment.
func connect(address string) (*server, error) {
	token, err := givenToken()
	if err != nil {
		return nil, err
	}
	return connectWith(token, address)
}

func connectWith(token, address string) (*server, error) {
	a, err := newAPI(address, token)
	if err != nil {
		return nil, err
	}
	return &server{api: a}, a.call("GET", "/stats", nil, nil)
}

func (s *server) stop() {
	s.api.client.CloseIdleConnections()
	s.program.stop()
}

// IsShared reports whether other processes may use the gateway too, because this process has not started it. The gateway
// that Shared returns is shared by the tests of this process; that alone does not make IsShared true.
func (s *server) IsShared() bool { return s.program == nil }

// URL is for the control API and the gateway's pages. On this machine it is http, so no certificate is needed.
func (s *server) URL() string { return s.api.url.String() }

// PushURL is for senders that can be given another host: always https. They have to trust Credentials().CA.
func (s *server) PushURL() string {
	host := s.api.url.Host
	if s.api.url.Hostname() == "127.0.0.1" {
		host = "localhost:" + s.api.url.Port()
	}
	return "https://" + host
}

// Log returns what the gateway has logged, or "" if it was not started by this process.
func (s *server) Log() string {
	if s.program == nil {
		return ""
	}
	return s.program.log()
}
