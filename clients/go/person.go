package pushpit

import "time"

// Act does what a person does with the device. Kind is an action of docs/api.md, such as "launch"; more has the other
// members of that call.
func (d *Device) Act(kind string, more ...JSON) {
	d.gateway.t.Helper()
	d.gateway.Call("POST", d.path()+"/act", merged(append([]JSON{{"kind": kind}}, more...)...), nil)
}

// Open opens the newest notification.
func (d *Device) Open() {
	d.gateway.t.Helper()
	d.Act("open", JSON{"notification": d.newest().Key})
}

// Dismiss dismisses the newest notification.
func (d *Device) Dismiss() {
	d.gateway.t.Helper()
	d.Act("dismiss", JSON{"notification": d.newest().Key})
}

// TapAction taps a button of the newest notification. Text is what the person types, if the button takes a text.
func (d *Device) TapAction(id string, text ...string) {
	d.gateway.t.Helper()
	action := JSON{"notification": d.newest().Key, "actionId": id}
	if len(text) > 0 {
		action["text"] = text[0]
	}
	d.Act("action", action)
}

func (d *Device) newest() Notification {
	d.gateway.t.Helper()
	if shade := d.Shade(); len(shade) > 0 {
		return shade[0]
	}
	return d.Notification(0)
}

// Launch opens the app.
func (d *Device) Launch() { d.gateway.t.Helper(); d.Act("launch") }

// ForceQuit ends the app.
func (d *Device) ForceQuit() { d.gateway.t.Helper(); d.Act("forceQuit") }

// Uninstall removes the app. From now on, pushes to its tokens get 410 (APNs) or 404 UNREGISTERED (FCM).
func (d *Device) Uninstall() { d.gateway.t.Helper(); d.Act("uninstall") }

// Install installs the app again, with new tokens.
func (d *Device) Install() {
	d.gateway.t.Helper()
	d.Act("install")
	d.Tokens = d.row().Tokens
}

const (
	// patience is how long the shade waits for extensions and images.
	patience = 5 * time.Second
	// interval is the time between two questions to the gateway.
	interval = 10 * time.Millisecond
	// newestPushes is how many of the newest pushes are looked at.
	newestPushes = 20
)

// Shade returns the notifications that the device shows, newest first. While its extension works or it loads an image, this
// waits for that, for up to 5 seconds.
func (d *Device) Shade() []Notification {
	d.gateway.t.Helper()
	return d.shade(patience)
}

func (d *Device) shade(limit time.Duration) []Notification {
	d.gateway.t.Helper()
	d.settle(limit)
	rows, err := pages[Notification](d.gateway.api, d.path()+"/shade", "shade", nil)
	d.gateway.check(err)
	return rows
}

// Notification waits until the device shows a notification, and returns the newest one. It waits 5 seconds, or as long as
// within says. If it shows nothing, the test fails with a text that says why.
func (d *Device) Notification(within ...time.Duration) Notification {
	d.gateway.t.Helper()
	limit := patience
	if len(within) > 0 {
		limit = within[0]
	}
	deadline := time.Now().Add(limit)
	for {
		if shade := d.shade(time.Until(deadline)); len(shade) > 0 {
			return shade[0]
		}
		if !time.Now().Before(deadline) {
			d.gateway.t.Fatalf("the device %s shows no notification. %s", d.ID, d.emptyText())
		}
		time.Sleep(interval)
	}
}

// settle waits until the device no longer works on a push, or until the limit.
func (d *Device) settle(limit time.Duration) {
	d.gateway.t.Helper()
	deadline := time.Now().Add(limit)
	for _, push := range d.unfinished() {
		for d.report(push).IsWorking && time.Now().Before(deadline) {
			time.Sleep(interval)
		}
	}
}

// unfinished returns the newest pushes that have reached the device, and that it neither shows nor suppresses.
func (d *Device) unfinished() []string {
	d.gateway.t.Helper()
	events := d.Events("delivered", "presented", "suppressed")
	isDone := map[string]bool{}
	left := []string{}
	for index := len(events) - 1; index >= 0 && len(left) < newestPushes; index-- {
		push := events[index].Push
		if events[index].Kind == "delivered" && !isDone[push] {
			left = append(left, push)
		}
		isDone[push] = true
	}
	return left
}
