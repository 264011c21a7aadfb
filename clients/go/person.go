package pushpit

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
