package pushpit_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pushpit.test/pushpit"
)

// TestInsideExec runs in the process of the next test: two tests with the same app and project, each with one push to a
// phone and one to a topic.
func TestInsideExec(t *testing.T) {
	if os.Getenv("PUSHPIT_KEEP_MESSAGES") == "" {
		t.Skip("only under exec")
	}
	for _, title := range []string{"Breakfast", "Lunch"} {
		t.Run(title, func(t *testing.T) {
			app := pushpit.NewApp(t, pushpit.WithID("com.acme.shop"), pushpit.WithProject("acme"))
			phone := app.Device(pushpit.Android)
			sendFCM(t, app, notification(phone.Token(), title))
			sendFCM(t, app, object{"topic": "news", "notification": object{"title": title}})
			app.Expect(pushpit.Match{}, pushpit.Count(2))
			expectEqual(t, len(app.Messages(pushpit.Match{})), 2)
			app.Expect(pushpit.Match{Topic: "news"}, pushpit.Count(1), pushpit.Within(0))
		})
	}
}

func TestExecExpectsAndReportsThePushesOfTestsThatAreOver(t *testing.T) {
	t.Parallel()
	expectations, report := filepath.Join(t.TempDir(), "pushes.json"), filepath.Join(t.TempDir(), "report.json")
	const wanted = `[{"match":{"app":"com.acme.shop","event":{"kind":"presented"}},"count":2},{"match":{"topic":"news","app":"acme"},"count":2}]`
	if err := os.WriteFile(expectations, []byte(wanted), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Getenv("PUSHPIT_BINARY"), "exec", "--expect", expectations, "--report", "json", report, "--",
		os.Args[0], "-test.run=^TestInsideExec$")
	said, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "4 pushes were caught") {
		t.Fatalf("%v: %s", err, said)
	}
	var result struct{ Messages []pushpit.Message }
	text, _ := os.ReadFile(report)
	if err := json.Unmarshal(text, &result); err != nil || len(result.Messages) != 4 || result.Messages[2].Title() != "Lunch" {
		t.Errorf("%v: %s", err, text)
	}
}
