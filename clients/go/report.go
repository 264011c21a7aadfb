package pushpit

import (
	"fmt"
	"net/url"
	"sort"
	"strings"
)

// listedPushes is how many pushes the text about an empty shade has.
const listedPushes = "5"

// listedOfFailed is how many pushes a failed test shows.
const listedOfFailed = 20

// MissingImage says why a notification has no image, although its push names one.
type MissingImage struct {
	// Rule is the id of a rule in docs/rules.md.
	Rule string
	// Reason is a few words, and Remedy says what to do.
	Reason, Remedy string
}

// deviceReport is what became of a push on a device.
type deviceReport struct {
	Device, Did, Remedy string
	IsWorking           bool
	MissingImage        *MissingImage
}

// MissingImage says why a notification of the device has no image. It returns nil if it has one, or if its push names none.
func (d *Device) MissingImage(notification Notification) *MissingImage {
	d.gateway.t.Helper()
	if notification.Image != "" {
		return nil
	}
	return d.report(notification.Push).MissingImage
}

// report returns what became of the push on the device. It is empty for a push that was deleted.
func (d *Device) report(push string) deviceReport {
	d.gateway.t.Helper()
	report, err := d.gateway.api.report(push, d.ID)
	d.gateway.check(err)
	return report
}

func (a *api) report(push, device string) (deviceReport, error) {
	reports, err := a.reports(push)
	for _, report := range reports {
		if report.Device == device {
			return report, err
		}
	}
	return deviceReport{}, err
}

// reports returns what became of a push on each of its devices.
func (a *api) reports(push string) ([]deviceReport, error) {
	var answer struct{ Devices []deviceReport }
	err := a.call("GET", "/messages/"+url.PathEscape(push)+"/events?limit=1000", nil, &answer, 404)
	return answer.Devices, err
}

// lines says what the device did with the push, and what to do about it.
func (r deviceReport) lines() []string {
	lines := []string{}
	for _, text := range []string{r.Did, r.Remedy} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// emptyText says what became of the newest pushes to the device.
func (d *Device) emptyText() string {
	d.gateway.t.Helper()
	queries := []url.Values{{"device": {d.ID}}}
	for _, kind := range []string{"apns", "fcm"} {
		if token, exists := d.row().Tokens[kind]; exists {
			queries = append(queries, url.Values{"token": {token.Token}, "outcome": {"refused"}})
		}
	}
	lines := []string{}
	for _, query := range queries {
		query.Set("limit", listedPushes)
		var page struct{ Messages []Message }
		d.gateway.Call("GET", "/messages?"+query.Encode(), nil, &page)
		for _, message := range page.Messages {
			lines = append(lines, d.pushText(message))
		}
	}
	if len(lines) == 0 {
		return "No push has been sent to its tokens."
	}
	return "Pushes to it, newest first:\n  " + strings.Join(lines, "\n  ")
}

// pushText is the push in one line, and below it what became of it on the device.
func (d *Device) pushText(message Message) string {
	d.gateway.t.Helper()
	lines := d.report(message.ID).lines()
	if len(lines) == 0 {
		lines = d.gateway.api.problemLines(message)
	}
	return strings.Join(append([]string{message.String()}, lines...), "\n    ")
}

// listText has the newest pushes of a list, the oldest first, each with what is wrong with it.
func (g *Gateway) listText(messages []Message) string {
	if len(messages) == 0 {
		return "none"
	}
	lines := []string{}
	if more := len(messages) - listedOfFailed; more > 0 {
		messages = messages[:listedOfFailed]
		lines = append(lines, fmt.Sprintf("(%d earlier pushes)", more))
	}
	for index := len(messages) - 1; index >= 0; index-- {
		text := append([]string{messages[index].String()}, g.api.problemLines(messages[index])...)
		lines = append(lines, strings.Join(append(text, g.deviceLines(messages[index])...), "\n    "))
	}
	return strings.Join(lines, "\n  ")
}

// deviceLines says what went wrong on the first devices on which something did, and what to do about it.
func (g *Gateway) deviceLines(message Message) []string {
	lines := []string{}
	if len(message.Devices) == 0 {
		return lines
	}
	reports, err := g.api.reports(message.ID)
	g.check(err)
	add := func(text, remedy string) {
		if remedy != "" && len(lines) < 6 {
			lines = append(lines, text, "fix: "+remedy)
		}
	}
	for _, report := range reports {
		add(report.Device+": "+report.Did, report.Remedy)
		if missing := report.MissingImage; missing != nil {
			add(report.Device+": no image: "+missing.Reason, missing.Remedy)
		}
	}
	return lines
}

// mostDevices is how many devices are asked for refused pushes to their tokens.
const mostDevices = 20

// reportText is the pushes of the app and the refused pushes of other apps to tokens of its devices, with what is wrong with them.
func (a *App) reportText() string {
	messages := a.Messages(Match{})
	for index, device := range a.devices {
		if index == mostDevices {
			break
		}
		for _, token := range device.Tokens {
			messages = append(messages, a.Gateway.Messages(Match{Token: token.Token, Outcome: "refused", Since: a.start})...)
		}
	}
	if len(messages) == 0 {
		return "none. " + a.Gateway.api.whyNone()
	}
	return a.Gateway.listText(newestFirst(messages))
}

// rule is what docs/rules.md has about a rule.
type rule struct{ ID, Checks, Remedy string }

// rule returns what is known of a rule. It is empty for an unknown one.
func (a *api) rule(id string) rule {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.rules == nil {
		a.rules = map[string]rule{}
		rows, _ := pages[rule](a, "/rules", "rules", nil)
		for _, row := range rows {
			a.rules[row.ID] = row
		}
	}
	return a.rules[id]
}

// problemLines says what is wrong with a push, and what to do about it: errors first, notes left out.
func (a *api) problemLines(message Message) []string {
	problems, isFound := []Finding{}, false
	for _, finding := range message.Findings {
		if finding.Severity != "note" {
			problems = append(problems, finding)
			isFound = isFound || finding.Rule == message.Why
		}
	}
	if message.Outcome == "refused" && message.Why != "" && !isFound {
		meaning := a.rule(message.Why).Checks
		if meaning == "" {
			meaning = message.Why
		}
		problems = append([]Finding{{Rule: message.Why, Severity: "error", Message: meaning}}, problems...)
	}
	sort.SliceStable(problems, func(one, other int) bool {
		return problems[one].Severity == "error" && problems[other].Severity != "error"
	})
	lines := []string{}
	for _, problem := range problems {
		lines = append(lines, problem.Severity+": "+problem.Message)
		if remedy := a.rule(problem.Rule).Remedy; remedy != "" && !strings.Contains(problem.Message, remedy) {
			lines = append(lines, "fix: "+remedy)
		}
	}
	return lines
}
