package pushpit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheExampleOfTheREADMEWorksAsItIsPrinted also shows that the module can be used from its folder.
func TestTheExampleOfTheREADMEWorksAsItIsPrinted(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(page, -1)
	command := string(regexp.MustCompile("(?m)^go mod edit .*$").Find(page))
	kit, _ := filepath.Abs(".")
	folder := t.TempDir()
	run := func(script string) string {
		shell := exec.Command("sh", "-c", script)
		shell.Dir = folder
		shell.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		output, _ := shell.CombinedOutput()
		return string(output)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("go mod init example.com/shop && " + strings.ReplaceAll(command, "PATH/TO/pushpit/clients/go", kit))
	write("welcome.go", blocks[0][1])
	write("welcome_test.go", blocks[1][1])
	expectMatch(t, run("go test -v ."), `(?s)(--- PASS.*){3}\nok `)
	write("welcome.go", []byte(strings.Replace(string(blocks[0][1]), `"Welcome"`, `"Welcom"`, 1)))
	expectMatch(t, run("go test ."), `(?s)--- FAIL: TestANewUserSeesAWelcome .*: 0 pushes match, .*/message/notification/title: expected "Welcome", got "Welcom"`)
}
