package pushpit_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pushpit.test/pushpit"
)

// TestThatFails runs in the process of the next test.
func TestThatFails(t *testing.T) {
	if os.Getenv("PUSHPIT_KIT_HELPER") != "fail" {
		t.Skip("only for the next test")
	}
	t.Run("foreign", func(t *testing.T) {
		app := pushpit.NewApp(t, pushpit.WithID("com.acme.foreign"))
		app.Fault("503Shutdown", pushpit.When{Match: pushpit.Match{Provider: "fcm"}})
		token := app.Device(pushpit.IOS).Token()
		wrong := *app
		wrong.ID = "com.acme.other"
		sendAPNs(t, &wrong, token, providerToken(t, app), object{"aps": object{"alert": "Wrong topic"}})
		phone := app.Device(pushpit.IOS, object{"extension": object{"script": "firebase", "imageKey": "image_url"}})
		sendAPNs(t, app, phone.Token(), providerToken(t, app), object{"aps": object{"alert": "No image"}, "image_url": "https://acme.test/a.png"})
		t.Error("not shown")
	})
	for _, name := range []string{"good", "bad"} {
		t.Run(name, func(t *testing.T) {
			app := pushpit.NewApp(t, pushpit.WithID("com.acme.shop"))
			sendFCM(t, app, notification("no-token", "Tea"))
			sendFCM(t, app, object{"topic": "news", "notification": object{"title": "Cake"}})
			if name == "bad" {
				t.Error("not sent")
			}
		})
	}
}

func TestAFailingTestShowsItsPushesAndWhyTheyWereRefused(t *testing.T) {
	t.Parallel()
	command := exec.Command(os.Args[0], "-test.run=^TestThatFails$", "-test.v")
	command.Env = append(os.Environ(), "PUSHPIT_KIT_HELPER=fail")
	output, err := command.CombinedOutput()
	if err == nil || strings.Count(string(output), "Pushes of com.acme.shop:") != 1 {
		t.Fatalf("%v: %s", err, output)
	}
	expectMatch(t, string(output), `\n +p\d+: FCM push "Tea" of com\.acme\.shop to token no-token, refused: 400 INVALID_ARGUMENT\n +error: .*\n +fix: `)
	expectMatch(t, string(output), `Pushes of com\.acme\.foreign:\n +p\d+: APNs push "Wrong topic" of .*400 DeviceTokenNotForTopic`)
	expectMatch(t, string(output), `p\d+: APNs push "No image".*, accepted: 200\n( +.*\n)* +d\d+: .*no image: mutable-content is not 1.*\n +fix: .*mutable-content`)
	expectMatch(t, string(output), `No request has hit the fault f\d+\.`)
	expectMatch(t, string(output), `\n +p\d+: FCM push "Cake" of com\.acme\.shop to topic news, accepted: 200\n`)
}

func TestAGatewayThatOthersUseKeepsNoKeyOfATestThatIsOver(t *testing.T) {
	t.Parallel()
	own := pushpit.Start(t)
	known := func() (keys struct{ APNsKeys, ServiceAccounts []any }) {
		own.Call("GET", "/credentials", nil, &keys)
		return keys
	}
	before := known()
	t.Run("inner", func(t *testing.T) {
		pushpit.Connect(t, own.URL()).NewApp().Credentials()
		during := known()
		expectEqual(t, len(during.APNsKeys), len(before.APNsKeys)+1)
		expectEqual(t, len(during.ServiceAccounts), len(before.ServiceAccounts)+1)
	})
	after := known()
	expectEqual(t, len(after.APNsKeys), len(before.APNsKeys))
	expectEqual(t, len(after.ServiceAccounts), len(before.ServiceAccounts))
}
