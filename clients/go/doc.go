// Package pushpit is a test kit for Pushpit, a push service that answers like Apple's APNs and Google's FCM.
//
// NewApp gives a test its own app and Firebase project, on a gateway that all tests of the process share. The
// gateway in the environment variable PUSHPIT_URL is used if there is one, for example under "pushpit exec". Otherwise
// the program pushpit is started, from the path in PUSHPIT_BINARY or from the PATH, and ends with the process.
//
//	func TestWelcome(t *testing.T) {
//		app := pushpit.NewApp(t)
//		phone := app.Device(pushpit.Android)
//		welcome(app.Gateway.URL(), app.Project, phone.Token()) // your backend sends a push
//		app.Expect(pushpit.Match{Device: phone.ID, Body: pushpit.JSON{"/message/notification/title": "Welcome"}}, pushpit.Count(1))
//		if shade := phone.Shade(); shade[0].Title != "Welcome" {
//			t.Errorf("the phone shows %q", shade[0].Title)
//		}
//	}
//
// What goes wrong ends the test, so the calls return no errors. Like t.Fatal, they belong in the test's goroutine.
package pushpit
