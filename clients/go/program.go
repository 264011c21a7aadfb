package pushpit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit = 30 * time.Second
	// How long open connections may take to finish, and after how long a gateway that does not end is killed.
	endPatience  = 50 * time.Millisecond
	killPatience = 10 * time.Second
	logTail      = 2000
	// Runs a program, removes a directory however the program has ended, and ends like the program.
	script = `"$@"; code=$?; rm -rf -- "$0"; exit $code`
)

// program is a gateway on a free port of 127.0.0.1 with new credentials. Its standard input is a pipe that ends with
// this process, however that ends. Then the gateway ends too, and a shell removes its files.
type program struct {
	directory string
	shell     *exec.Cmd
	input     io.Closer
	// The shell may remove the file, but it is open until the end.
	logFile *os.File
	ended   chan struct{}
	ready   ready
}

// ready is what the file of --ready-file says.
type ready struct {
	URL         string `json:"url"`
	PID         int    `json:"pid"`
	Version     string `json:"version"`
	Credentials string `json:"credentials"`
}

func startProgram(options []string) (*program, error) {
	binary, err := exec.LookPath(binaryName())
	if err != nil {
		return nil, fmt.Errorf("there is no program '%s'; put pushpit on the PATH, or set PUSHPIT_BINARY to its path, "+
			"or set PUSHPIT_URL to use a gateway that runs already", binaryName())
	}
	directory, err := os.MkdirTemp("", "pushpit-")
	if err != nil {
		return nil, err
	}
	p := &program{directory: directory, ended: make(chan struct{})}
	if err := p.launch(binary, options); err != nil {
		os.RemoveAll(directory)
		return nil, err
	}
	if err := p.waitUntilReady(); err != nil {
		log := p.log()
		p.stop()
		return nil, fmt.Errorf("'%s serve' did not start: %w: %s", binary, err, strings.TrimSpace(log[max(0, len(log)-logTail):]))
	}
	return p, nil
}

func binaryName() string {
	if name := os.Getenv("PUSHPIT_BINARY"); name != "" {
		return name
	}
	return "pushpit"
}

func (p *program) launch(binary string, options []string) error {
	log, err := os.Create(filepath.Join(p.directory, "log"))
	if err != nil {
		return err
	}
	p.logFile = log
	arguments := append([]string{
		"-c", script, p.directory, binary, "serve", "--listen", "127.0.0.1:0", "--certs", filepath.Join(p.directory, "certs"),
		"--ready-file", p.readyFile(), "--exit-on-stdin-eof"}, options...)
	p.shell = exec.Command("/bin/sh", arguments...)
	p.shell.Stderr = log
	p.shell.Env = ownEnvironment()
	// Ctrl-C is for this process alone, so the gateway is in a group that the terminal does not signal.
	p.shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if p.input, err = p.shell.StdinPipe(); err != nil {
		return err
	}
	if err := p.shell.Start(); err != nil {
		return err
	}
	go func() {
		p.shell.Wait()
		close(p.ended)
	}()
	return nil
}

// ownEnvironment is the environment without PUSHPIT_…: most of these variables are options of serve, for another gateway.
func ownEnvironment() []string {
	var own []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "PUSHPIT_") {
			own = append(own, pair)
		}
	}
	return own
}

// tokenIn returns the value of --api-token in these options of serve.
func tokenIn(options []string) string {
	token := ""
	for index, option := range options {
		if option == "--api-token" && index+1 < len(options) {
			token = options[index+1]
		} else if strings.HasPrefix(option, "--api-token=") {
			token = strings.TrimPrefix(option, "--api-token=")
		}
	}
	return token
}

func (p *program) readyFile() string { return filepath.Join(p.directory, "ready.json") }

// waitUntilReady looks for the file again and again, because not every system reports that a file has appeared.
func (p *program) waitUntilReady() error {
	deadline := time.After(startLimit)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		bytes, err := os.ReadFile(p.readyFile())
		if err == nil {
			return json.Unmarshal(bytes, &p.ready)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it ended with %d", p.shell.ProcessState.ExitCode())
		case <-deadline:
			return fmt.Errorf("it was not ready after %s", startLimit)
		case <-tick.C:
		}
	}
}

func (p *program) log() string {
	bytes, _ := io.ReadAll(io.NewSectionReader(p.logFile, 0, math.MaxInt64))
	return string(bytes)
}

// stop ends the gateway, and removes its files.
func (p *program) stop() {
	p.input.Close()
	for _, step := range []struct {
		after  time.Duration
		signal syscall.Signal
	}{{endPatience, syscall.SIGTERM}, {killPatience, syscall.SIGKILL}} {
		select {
		case <-p.ended:
		case <-time.After(step.after):
			p.signal(step.signal)
		}
	}
	<-p.ended
	os.RemoveAll(p.directory)
	p.logFile.Close()
}

// signal sends a signal to the gateway. Until it is ready, its process id is not known, so the process group gets it.
func (p *program) signal(signal syscall.Signal) {
	if p.ready.PID != 0 {
		syscall.Kill(p.ready.PID, signal)
	} else {
		syscall.Kill(-p.shell.Process.Pid, signal)
	}
}

func max(one, other int) int {
	if one > other {
		return one
	}
	return other
}
