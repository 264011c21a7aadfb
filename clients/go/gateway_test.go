package pushpit_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pushpit.test/pushpit"
)

const patience = 10 * time.Second

// isGone waits until the process and its directory are gone. The system reports only the end of children, so it looks
// again and again.
func isGone(pid int, directory string) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-tick.C {
		_, err := os.Stat(directory)
		if syscall.Kill(pid, 0) != nil && os.IsNotExist(err) {
			return true
		}
	}
	return false
}

func TestAGatewayEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var pid int
	var directory string
	t.Run("inner", func(t *testing.T) {
		gateway := pushpit.Start(t)
		pid, directory = gateway.ProcessForTests()
		if _, err := os.Stat(directory); err != nil || syscall.Kill(pid, 0) != nil {
			t.Error("the gateway does not run")
		}
		expectMatch(t, gateway.URL(), `^http://127\.0\.0\.1:\d+$`)
		expectMatch(t, gateway.PushURL(), `^https://localhost:\d+$`)
		expectEqual(t, gateway.IsShared(), false)
	})
	if _, err := os.Stat(directory); err == nil || syscall.Kill(pid, 0) == nil {
		t.Error("the gateway still runs")
	}
}

// stubborn is a program that does not end with its standard input.
const stubborn = `#!/bin/sh
while [ "$1" != --ready-file ]; do shift; done
echo $$ >"$(dirname "$0")/pid"
printf '{"url":"http://127.0.0.1:1","pid":%s}' $$ >"$2.new" && mv "$2.new" "$2"
exec sleep 1000
`

func TestAProgramThatDoesNotEndWithItsInputGetsASignal(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PUSHPIT_BINARY", filepath.Join(folder, "pushpit"))
	if err := os.WriteFile(os.Getenv("PUSHPIT_BINARY"), []byte(stubborn), 0o700); err != nil {
		t.Fatal(err)
	}
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Start(fake) }), `the gateway at http://127\.0\.0\.1:1 does not answer`)
	var pid int
	text, _ := os.ReadFile(filepath.Join(folder, "pid"))
	if _, err := fmt.Sscan(string(text), &pid); err != nil || syscall.Kill(pid, 0) == nil {
		t.Errorf("the program %d still runs; %v", pid, err)
	}
}

// TestHelperProcess tests nothing: other tests run it in a separate process.
func TestHelperProcess(t *testing.T) {
	role := os.Getenv("PUSHPIT_KIT_HELPER")
	if role == "" {
		t.Skip("only for other tests")
	}
	gateway := pushpit.Shared(t)
	pid, directory := gateway.ProcessForTests()
	fmt.Printf("started %d %s\n", pid, directory)
	gateway.NewApp().Device(pushpit.Android).Connect()
	if role == "wait" {
		select {}
	}
}

// helper starts this test binary with only the helper, and returns the gateway that it has started.
func helper(t *testing.T, role string) (command *exec.Cmd, pid int, directory string) {
	command = exec.Command(os.Args[0], "-test.run=^TestHelperProcess$")
	command.Env = append(os.Environ(), "PUSHPIT_KIT_HELPER="+role)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if count, _ := fmt.Sscanf(lines.Text(), "started %d %s", &pid, &directory); count == 2 {
			return
		}
	}
	t.Fatal("the helper has started no gateway")
	return
}

func TestTheSharedGatewayEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	command, pid, directory := helper(t, "end")
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if !isGone(pid, directory) {
		t.Error("the gateway still runs")
	}
}

func TestTheGatewayOfAProcessThatIsKilledEndsToo(t *testing.T) {
	t.Parallel()
	for _, killsTheGatewayToo := range []bool{false, true} {
		command, pid, directory := helper(t, "wait")
		if killsTheGatewayToo {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		command.Process.Kill()
		command.Wait()
		if !isGone(pid, directory) {
			t.Errorf("the gateway still runs, or there is still %s", directory)
		}
	}
}

func TestAGatewayThatIsStartedIgnoresTheOptionsOfAnotherOne(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"DATA", "API_TOKEN_FILE", "SEED"} {
		t.Setenv("PUSHPIT_"+name, filepath.Join(folder, name))
	}
	t.Setenv("PUSHPIT_LISTEN", "nonsense")
	pushpit.Start(t).NewApp()
	if entries, _ := os.ReadDir(folder); len(entries) > 0 {
		t.Errorf("the gateway has used %v", entries)
	}
}

func TestTheCredentialsOfAGatewayInAnotherDirectoryAreFound(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program := exec.Command(os.Getenv("PUSHPIT_BINARY"), "serve", "--listen", "127.0.0.1:0", "--certs", "certs", "--ready-file", "ready.json")
	program.Dir = folder
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer program.Wait()
	defer program.Process.Signal(syscall.SIGTERM)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var ready struct{ URL string }
	for deadline := time.Now().Add(patience); ready.URL == "" && time.Now().Before(deadline); <-tick.C {
		text, _ := os.ReadFile(filepath.Join(folder, "ready.json"))
		json.Unmarshal(text, &ready)
	}
	expectEqual(t, pushpit.Connect(t, ready.URL).Credentials().CA, filepath.Join(folder, "certs/ca.pem"))
}

func TestAGatewayThatRunsAlreadyIsUsed(t *testing.T) {
	own := pushpit.Start(t)
	ca := own.Credentials().CA
	t.Setenv("PUSHPIT_URL", own.PushURL())
	command := exec.Command(os.Args[0], "-test.run=^TestHelperProcess$")
	command.Env = append(os.Environ(), "PUSHPIT_KIT_HELPER=end")
	output, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "started 0 \n") {
		t.Errorf("%v: %s", err, output)
	}
	shared := pushpit.Connect(t, own.PushURL())
	expectEqual(t, shared.IsShared(), true)
	expectEqual(t, shared.Log(), "")
	expectMatch(t, failure(t, func(fake testing.TB) { shared.For(fake).NewApp().Clock() }), `belongs to everyone .*SharedClock moves it.* the real Apple and Google`)
	expectMatch(t, failure(t, func(fake testing.TB) { shared.For(fake).Clock().Advance(time.Hour) }), `SharedClock if no one else uses`)
	shared.Clock().Now()
	shared.SharedClock().Resume()
	expectEqual(t, shared.Credentials().CA, ca)
	t.Setenv("PUSHPIT_CERTS", "/none")
	expectMatch(t, failure(t, func(fake testing.TB) { shared.For(fake).Credentials() }), `no credentials in /none/pushpit\.json: set PUSHPIT_CREDENTIALS to the path`)
	t.Setenv("PUSHPIT_CREDENTIALS", strings.TrimSuffix(ca, "ca.pem")+"pushpit.json")
	expectEqual(t, shared.Credentials().CA, ca)
}

func TestErrorsAtTheStartSayWhatToDo(t *testing.T) {
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Start(fake, "--auth", "loose") }), `(?s)serve' did not start: it ended with 64: .*loose`)
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Connect(fake, "localhost:2197") }), `'localhost:2197' is not the address of a gateway: write it like http:`)
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Connect(fake, "http://127.0.0.1:1") }), `the gateway at http://127\.0\.0\.1:1 does not answer`)
	t.Setenv("PUSHPIT_BINARY", "/none/pushpit")
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Start(fake) }), `there is no program '/none/pushpit'; put pushpit on the PATH, or set PUSHPIT_BINARY`)
}

func TestAnAPITokenIsSent(t *testing.T) {
	gateway := pushpit.Start(t, "--api-token", "secret")
	gateway.NewApp().Device(pushpit.Android).Connect()
	pushpit.Start(t, "--api-token=secret").NewApp()
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Connect(fake, gateway.URL()) }), `401 noToken`)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PUSHPIT_API_TOKEN_FILE", file)
	pushpit.Connect(t, gateway.URL())
	t.Setenv("PUSHPIT_API_TOKEN_FILE", "/none")
	expectMatch(t, failure(t, func(fake testing.TB) { pushpit.Connect(fake, gateway.URL()) }), `PUSHPIT_API_TOKEN_FILE names '/none', which can't be read`)
	t.Setenv("PUSHPIT_API_TOKEN", "secret")
	pushpit.Connect(t, gateway.URL())
}
