package pushpit_test

import (
	"testing"
	"time"

	"pushpit.test/pushpit"
)

func TestTheShadeWaitsForAnImage(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	for name, delay := range map[string]time.Duration{"late": 250 * time.Millisecond, "early": 0} {
		message := notification(phone.Token(), name)
		message["notification"].(object)["image"] = app.Media(name+".png", pushpit.Media{ContentType: "image/png", Size: 20_000, Delay: delay})
		sendFCM(t, app, message)
	}
	expectEqual(t, len(phone.Shade()), 2)
}

func TestANotificationIsWaitedForUpToALimit(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.IOS, object{"extension": object{"script": "slow", "seconds": 1}})
	sendFCM(t, app, object{
		"fid": phone.FID(), "notification": object{"title": "Bread"}, "apns": object{"payload": object{"aps": object{"mutable-content": 1}}}})
	expectMatch(t, failure(t, func(fake testing.TB) { phone.For(fake).Notification(10 * time.Millisecond) }),
		`shows no notification\. (?s).*the extension is still working`)
	expectEqual(t, phone.Notification().Title, "Bread")
}

func TestAnEmptyShadeSaysWhatBecameOfEachPush(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	why := func() string {
		return failure(t, func(fake testing.TB) { phone.For(fake).Notification(0) })
	}
	expectMatch(t, why(), `shows no notification\. No push has been sent to its tokens\.`)
	phone.SetState(object{"permission": "denied"})
	sendFCM(t, app, notification(phone.Token(), "Bread"))
	sendFCM(t, app, object{"token": phone.Token(), "notification": object{"titel": "Bread"}})
	expectMatch(t, why(), `suppressed: the app may not post notifications\n    Set permission to authorized`)
	expectMatch(t, why(), `refused: 400 INVALID_ARGUMENT\n    \w`)
}
