package pushpit

import (
	"strings"
	"time"
)

// Clock is the gateway's clock, which decides ages, expirations and delays. Each call returns the gateway's time.
type Clock struct {
	gateway  *Gateway
	isShared bool
}

// Clock returns the gateway's clock. Moving it affects all tests that use the gateway. If the gateway was not started by
// this process, the clock can only be read.
func (g *Gateway) Clock() *Clock { return &Clock{gateway: g} }

// SharedClock is like Clock, but it also moves the clock of everyone else who uses the gateway.
func (g *Gateway) SharedClock() *Clock { return &Clock{gateway: g, isShared: true} }

// Now returns the gateway's time.
func (c *Clock) Now() time.Time { return c.call("GET", nil) }

// Advance moves the clock forward. Everything that the new time makes due is done when the call returns.
func (c *Clock) Advance(duration time.Duration) time.Time {
	return c.call("POST", JSON{"advance": durationText(duration)})
}

// Set sets the clock to a time.
func (c *Clock) Set(moment time.Time) time.Time {
	return c.call("POST", JSON{"set": timeText(moment)})
}

// Freeze stops the clock. Advance and Set still move it.
func (c *Clock) Freeze() time.Time { return c.call("POST", JSON{"freeze": true}) }

// Resume lets a frozen clock run again.
func (c *Clock) Resume() time.Time { return c.call("POST", JSON{"resume": true}) }

// Reset sets the clock to the real time, and lets it run.
func (c *Clock) Reset() time.Time {
	c.call("POST", JSON{"set": "now"})
	return c.Resume()
}

func (c *Clock) call(method string, body any) time.Time {
	c.gateway.t.Helper()
	if method == "POST" && c.gateway.IsShared() && !c.isShared {
		c.gateway.t.Fatalf("The clock of %s belongs to everyone who uses this gateway, and this process has not started it: "+
			"start one with pushpit.Start, or use SharedClock if no one else uses this one now.", c.gateway.URL())
	}
	var answer struct{ Now time.Time }
	c.gateway.Call(method, "/clock", body, &answer)
	return answer.Now
}

// Clock returns the gateway's clock, and fails the test if other tests use the gateway. Until this test ends, NewApp waits
// in all other tests that use the gateway. The clock is set to the real time when the test ends.
func (a *App) Clock() *Clock {
	a.t().Helper()
	if a.Gateway.IsShared() {
		a.t().Fatalf("The clock of %s belongs to everyone who uses this gateway, so a test can't move it. If no one else "+
			"uses it now, as in 'pushpit exec -- go test -run Clock .', Gateway.SharedClock moves it. If the backend can be told its "+
			"hosts, run the test without exec and PUSHPIT_URL, and the kit starts a gateway for it. A backend with fixed hosts would "+
			"then push to the real Apple and Google.", a.Gateway.URL())
	}
	if others := a.takeClock(); others > 0 {
		a.t().Fatalf("The clock of %s belongs to all tests that use this gateway, so a test can't move it while others have "+
			"apps (now %d): start a gateway for it with pushpit.Start.", a.Gateway.URL(), others)
	}
	return a.Gateway.Clock()
}

// takeClock makes this app the one that uses the clock, unless there are others. It returns their number.
func (a *App) takeClock() int {
	s := a.Gateway.server
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.appWithClock == a {
		return 0
	}
	if s.openApps == 1 {
		s.appWithClock, s.clockIsFree = a, make(chan struct{})
	}
	return s.openApps - 1
}

// open counts the app. It waits while an app of another test uses the clock; subtests of that test do not wait.
func (a *App) open() {
	s := a.Gateway.server
	for {
		s.mutex.Lock()
		owner, isFree := s.appWithClock, s.clockIsFree
		if owner == nil || strings.HasPrefix(a.t().Name()+"/", owner.t().Name()+"/") {
			s.openApps++
			s.mutex.Unlock()
			return
		}
		s.mutex.Unlock()
		<-isFree
	}
}

// end gives the clock back, and no longer counts the app.
func (a *App) end() {
	s := a.Gateway.server
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.openApps--
	if s.appWithClock == a {
		s.appWithClock = nil
		close(s.clockIsFree)
	}
}
