package pushpit

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

// failureText says what was expected, and how the nearest pushes differ.
func (a *api) failureText(request JSON, answer verdict) string {
	lines := []string{answer.Why, "Expected: " + expectationText(request)}
	if len(answer.Nearest) > 0 {
		lines = append(lines, "Nearest:")
	}
	for _, miss := range answer.Nearest {
		message, title := Message{}, miss.Message
		if title != "" && a.call("GET", "/messages/"+url.PathEscape(title), nil, &message) == nil {
			title = message.String()
		}
		if miss.Kind != "" {
			title = fmt.Sprintf("event %s of %s, %s", miss.Kind, miss.Device, title)
		}
		lines = append(lines, "  "+title)
		for _, row := range miss.Differs {
			lines = append(lines, fmt.Sprintf("    %s: expected %s, got %s", row.At, shown(row.Expected), shown(row.Got)))
		}
		for _, finding := range message.Findings {
			if finding.Severity != "note" {
				lines = append(lines, fmt.Sprintf("    %s: %s", finding.Severity, finding.Message))
			}
		}
	}
	if len(answer.Nearest) == 0 && len(answer.Messages) > 0 {
		first := answer.Messages[:len(answer.Messages)-max(0, len(answer.Messages)-10)]
		lines = append(lines, "Pushes that match: "+strings.Join(first, ", "))
	} else if len(answer.Nearest) == 0 {
		lines = append(lines, a.nothingText())
	}
	return strings.Join(lines, "\n")
}

func (a *api) nothingText() string {
	var stats struct{ Accepted, Refused int }
	if a.call("GET", "/stats", nil, &stats) == nil && stats.Accepted+stats.Refused == 0 {
		return fmt.Sprintf("No push has reached the gateway at %s. Does the sender use its address, or does it run under "+
			"'pushpit exec'? A connection that fails, for example because the sender does not trust the gateway, is in the gateway's log.", a.url)
	}
	return "No push comes near. The pushes that the gateway has are of other apps, or were sent earlier."
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
	text, _ := json.Marshal(value)
	return string(text)
}
