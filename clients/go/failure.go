package pushpit

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

const (
	// listedMatches is how many pushes that match have a line.
	listedMatches = 10
	// mostCharacters is how many characters a value may have.
	mostCharacters = 200
)

// failureText says what was expected, and how the nearest pushes differ.
func (a *api) failureText(request JSON, answer verdict) string {
	lines := []string{answer.Why, "Expected: " + expectationText(withoutStart(request))}
	if len(answer.Nearest) > 0 {
		lines = append(lines, "Nearest:")
		told := map[string]bool{}
		for _, miss := range own(answer.Nearest) {
			lines = append(lines, a.missLines(miss, told)...)
		}
	} else if len(answer.Messages) > 0 {
		lines = append(lines, "Pushes that match:")
		more := max(0, len(answer.Messages)-listedMatches)
		for _, id := range answer.Messages[:len(answer.Messages)-more] {
			lines = append(lines, "  "+a.pushLine(id))
		}
		if more > 0 {
			lines = append(lines, fmt.Sprintf("  and %d more", more))
		}
	} else {
		lines = append(lines, a.nothingText())
	}
	return strings.Join(lines, "\n")
}

// own returns the pushes without those of other apps and earlier tests, unless there are no others.
func own(nearest []Miss) []Miss {
	found := []Miss{}
	for _, miss := range nearest {
		isOwn := true
		for _, row := range miss.Differs {
			isOwn = isOwn && row.At != "app" && row.At != "since"
		}
		if isOwn {
			found = append(found, miss)
		}
	}
	if len(found) == 0 {
		return nearest
	}
	return found
}

// message returns a push. It is empty if the push was deleted.
func (a *api) message(id string) Message {
	var message Message
	if id != "" {
		a.call("GET", "/messages/"+url.PathEscape(id), nil, &message)
	}
	return message
}

func (a *api) pushLine(id string) string {
	if message := a.message(id); message.ID != "" {
		return message.String()
	}
	return id
}

// missLines describes a miss. What became of a push on a device is told once.
func (a *api) missLines(miss Miss, told map[string]bool) []string {
	message := a.message(miss.Message)
	title := a.pushLine(miss.Message)
	if miss.Kind != "" {
		title = strings.TrimSuffix(fmt.Sprintf("event %s of %s, %s", miss.Kind, miss.Device, title), ", ")
	}
	lines := []string{"  " + title}
	for _, row := range miss.Differs {
		note := ""
		if row.Note != "" {
			note = " (" + row.Note + ")"
		}
		lines = append(lines, fmt.Sprintf("    %s: expected %s, got %s%s", row.At, shown(row.Expected), shown(row.got(message)), note))
	}
	if key := miss.Message + " " + miss.Device; miss.Kind != "" && miss.Message != "" && miss.Device != "" && !told[key] {
		told[key] = true
		if report, err := a.report(miss.Message, miss.Device); err == nil {
			for _, line := range report.lines() {
				lines = append(lines, "    "+line)
			}
		}
	}
	for _, line := range a.problemLines(message) {
		lines = append(lines, "    "+line)
	}
	return lines
}

// got is what the push has. Its token is no text that a person reads.
func (d Difference) got(message Message) any {
	texts, isList := d.Got.([]any)
	if d.At != "text" || !isList {
		return d.Got
	}
	left := []any{}
	for _, text := range texts {
		if text != message.Target.Token && text != message.Target.FID {
			left = append(left, text)
		}
	}
	return left
}

func (a *api) nothingText() string {
	var stats struct{ Accepted, Refused int }
	if a.call("GET", "/stats", nil, &stats) == nil && stats.Accepted+stats.Refused == 0 {
		return "No push has reached the gateway. " + a.whyNone()
	}
	return "No push comes near. The pushes that the gateway has are of other apps, or were sent earlier."
}

// whyNone is for a person who waits for pushes in vain.
func (a *api) whyNone() string {
	return fmt.Sprintf("The gateway is at %s. Does the sender use this address, or does it run under 'pushpit exec'? A connection "+
		"that fails, for example because the sender does not trust the gateway, is in the gateway's log.", a.url)
}

// withoutStart is the request without the start of the app, which the test has not written.
func withoutStart(request JSON) JSON {
	shown := merged(request)
	hide := func(match Match) Match {
		if match.ofApp {
			match.Since = nil
		}
		return match
	}
	if match, isOne := request["match"].(Match); isOne {
		shown["match"] = hide(match)
	}
	if sequence, isSequence := request["sequence"].([]Match); isSequence {
		steps := []Match{}
		for _, match := range sequence {
			steps = append(steps, hide(match))
		}
		shown["sequence"] = steps
	}
	return shown
}

// expectationText is the request in one line.
func expectationText(request JSON) string {
	text, _ := json.Marshal(request)
	var plain JSON
	json.Unmarshal(text, &plain)
	within := "5s"
	amounts := []string{}
	for _, name := range sortedNames(plain) {
		switch name {
		case "match", "sequence":
		case "within":
			within = fmt.Sprint(plain[name])
		default:
			amounts = append(amounts, name+" "+shown(plain[name]))
		}
	}
	matches := []string{}
	if sequence, ok := plain["sequence"].([]any); ok {
		for _, match := range sequence {
			matches = append(matches, matchText(match))
		}
	} else {
		matches = append(matches, matchText(plain["match"]))
	}
	return fmt.Sprintf("%s (%s)", strings.Join(matches, ", then "), strings.Join(append(amounts, "within "+within), ", "))
}

func matchText(match any) string {
	filters, _ := match.(JSON)
	parts := []string{}
	for _, name := range sortedNames(filters) {
		inner, isObject := filters[name].(JSON)
		if text, isText := filters[name].(string); isText {
			parts = append(parts, name+"="+text)
		} else if isObject && (name == "body" || name == "bodyText" || name == "headers") {
			for _, pointer := range sortedNames(inner) {
				parts = append(parts, pointer+"="+shown(inner[pointer]))
			}
		} else {
			parts = append(parts, name+"="+shown(filters[name]))
		}
	}
	if len(parts) == 0 {
		return "any push"
	}
	return strings.Join(parts, " ")
}

func sortedNames(object JSON) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func shown(value any) string {
	if value == nil {
		return "nothing"
	}
	return shortened(jsonText(value), mostCharacters)
}

func jsonText(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// shortened returns the first characters of a text.
func shortened(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most]) + "…"
	}
	return text
}
