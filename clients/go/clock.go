package pushpit

import "time"

// Clock is the gateway's clock, which decides ages, expirations and delays. Each call returns the gateway's time.
type Clock struct{ gateway *Gateway }

// Clock returns the gateway's clock. Moving it affects all users of the gateway.
func (g *Gateway) Clock() *Clock { return &Clock{g} }

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
	var answer struct{ Now time.Time }
	c.gateway.Call(method, "/clock", body, &answer)
	return answer.Now
}

// Clock returns the gateway's clock, and fails the test if other tests use the gateway. The clock is set to the real
// time when the test ends.
func (a *App) Clock() *Clock {
	a.t().Helper()
	a.Gateway.mutex.Lock()
	others := a.Gateway.openApps - 1
	a.Gateway.mutex.Unlock()
	if a.Gateway.IsShared() {
		a.t().Fatalf("The clock of %s belongs to everyone who uses this gateway, so a test can't move it: run the test "+
			"without PUSHPIT_URL, or start a gateway for it with pushpit.Start.", a.Gateway.URL())
	}
	if others > 0 {
		a.t().Fatalf("The clock of %s belongs to all tests that use this gateway, so a test can't move it while others have "+
			"apps (now %d): start a gateway for it with pushpit.Start.", a.Gateway.URL(), others)
	}
	a.clockIsUsed = true
	return a.Gateway.Clock()
}
