package pushpit

// ShownForTests is a value as JSON.
var ShownForTests = shown

// ProcessForTests is the process id of the gateway and its directory; 0 and "" if it was not started here.
func (g *Gateway) ProcessForTests() (int, string) {
	if g.program == nil {
		return 0, ""
	}
	return g.program.ready.PID, g.program.directory
}
