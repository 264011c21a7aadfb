package pushpit_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pushpit.test/pushpit"
)

func TestAFailedExpectationShowsTheNearestPushes(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	sendFCM(t, app, notification("no-token", "Tea"))
	_, err := app.TryExpect(pushpit.Match{Outcome: "accepted", Body: object{"/message/notification/title": "Coffee"}}, pushpit.Within(0))
	var failed *pushpit.ExpectationFailed
	if !errors.As(err, &failed) {
		t.Fatalf("got %v", err)
	}
	expectEqual(t, len(failed.Nearest) > 0, true)
	expectMatch(t, err.Error(), `^0 pushes match, but at least 1 was expected\.\nExpected: app=com\.example\.test-\w+ /message/notification/title="Coffee" outcome=accepted \(within 0ms\)\n`)
	expectMatch(t, err.Error(), `\nNearest:\n  p\d+: FCM push "Tea" of com\.example\.test-\w+ to token no-token, refused: 400 INVALID_ARGUMENT\n`)
	expectMatch(t, err.Error(), `\n    outcome: expected "accepted", got "refused"`)
	expectMatch(t, err.Error(), `\n    /message/notification/title: expected "Coffee", got "Tea"`)
}

func TestAFailureSaysWhatAPhoneDidInstead(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android, object{"state": object{"permission": "denied"}})
	sendFCM(t, app, notification(phone.Token(), "Tea"))
	_, err := app.TryExpect(pushpit.Match{Event: &pushpit.EventMatch{Kind: "presented"}}, pushpit.Within(0))
	expectMatch(t, err.Error(), `\n    suppressed: the app may not post.*\n    Set permission to authorized`)
	expectEqual(t, strings.Count(err.Error(), "may not post"), 1)
	other := pushpit.NewApp(t)
	other.Device(pushpit.Web)
	_, err = other.TryExpect(pushpit.Match{App: "https://" + other.ID, Event: &pushpit.EventMatch{Kind: "opened"}}, pushpit.Within(0))
	expectMatch(t, err.Error(), `(?m)event registered of d\d+$`)
}

func TestAFailureShowsThePushesOfThisAppAndTextsWithoutTokens(t *testing.T) {
	t.Parallel()
	app, other := pushpit.NewApp(t), pushpit.NewApp(t)
	for _, one := range []*pushpit.App{app, other} {
		message := notification(one.Device(pushpit.Android).Token(), "Tea")
		message["data"] = object{"long": strings.Repeat("ä", 1000)}
		sendFCM(t, one, message)
	}
	_, err := app.TryExpect(pushpit.Match{Text: "lunch"}, pushpit.Within(0))
	expectMatch(t, err.Error(), `text: expected "lunch", got \["ä+…$`)
	if strings.Contains(err.Error(), other.ID) {
		t.Error(err)
	}
	pushes := app.Messages(pushpit.Match{Body: object{"/message/data/long": strings.Repeat("ä", 1000)}})
	expectEqual(t, len(pushes), 1)
	pushes[0].Request.Body = object{"aps": object{"alert": "a\n" + strings.Repeat("b", 99)}}
	expectMatch(t, pushes[0].String(), `push "a\\nb{38}…" of`)
}

func TestARefusedPushIsNotLookedForAtADevice(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	match := pushpit.Match{Device: app.Device(pushpit.Android).ID, Outcome: "refused"}
	_, err := app.TryExpect(match, pushpit.Never())
	expectMatch(t, err.Error(), `a refused push reaches no device.* use Token: phone\.Token\(\)`)
	expectMatch(t, failure(t, func(fake testing.TB) { app.Gateway.For(fake).Messages(match) }), `a refused push reaches no device`)
	expectMatch(t, failure(t, func(fake testing.TB) {
		app.Gateway.For(fake).NewApp().ExpectSequence([]pushpit.Match{{}, match})
	}), `a refused push reaches no device`)
}

func TestAnExpectationOfNoPushNamesThePushesThatCame(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	sendFCM(t, app, notification(app.Device(pushpit.Android).Token(), "Tea"))
	_, err := app.TryExpect(pushpit.Match{}, pushpit.Never(), pushpit.Within(0))
	expectMatch(t, err.Error(), `(?s)1 push matches, but none was expected\..*\nPushes that match:\n  p\d+: FCM push "Tea" of .*, accepted: 200$`)
	app.Expect(pushpit.Match{}, pushpit.AtMost(1), pushpit.Within(time.Millisecond))
	app.Expect(pushpit.Match{Provider: "fcm"}, pushpit.AtLeast(1))
}

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
	expectMatch(t, why(), `refused: 400 INVALID_ARGUMENT\n    error: .*titel`)
}

func TestARefusalHasItsMeaningAndItsRemedy(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone, other := app.Device(pushpit.Android), app.Device(pushpit.Android, object{"project": "other"})
	phone.Uninstall()
	sendFCM(t, app, notification(phone.Token(), "Bread"))
	expectMatch(t, failure(t, func(fake testing.TB) { phone.For(fake).Notification(0) }),
		`refused: 404 UNREGISTERED\n    error: The token or the installation is no longer registered.*\n    fix: Delete the token`)
	_, err := app.TryExpect(pushpit.Match{Token: phone.Token(), Outcome: "accepted"}, pushpit.Within(0))
	expectMatch(t, err.Error(), `\n    error: The token or .*\n    fix: Delete`)
	sendFCM(t, app, notification(other.Token(), "Bread"))
	expectMatch(t, failure(t, func(fake testing.TB) { other.For(fake).Notification(0) }),
		`error: The token was made for the project 'other', .*\n    fix: Send in`)
	_, err = app.TryExpect(pushpit.Match{Device: phone.ID, Status: 404, App: pushpit.Regex("")}, pushpit.Within(0))
	expectMatch(t, err.Error(), `device: expected "d\d+", got nothing \(The push reached no device.*find it with 'token'\.\)`)
}

func TestANotificationSaysWhyItHasNoImage(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	alert := object{"alert": object{"title": "Tea"}, "mutable-content": 1}
	image := app.Media("tea.png", pushpit.Media{ContentType: "image/png", Size: 20_000})
	phone := app.Device(pushpit.IOS, object{"extension": object{"script": "firebase", "imageKey": "image_url"}})
	bearer := providerToken(t, app)
	sendAPNs(t, app, phone.Token(), bearer, object{"aps": alert, "fcm_options": object{"image": image}})
	missing := phone.MissingImage(phone.Notification())
	expectEqual(t, missing.Rule, "ios.image-ignored")
	expectEqual(t, missing.Reason, "the app's extension does not read the key that names it")
	expectMatch(t, missing.Remedy, "'imageKey'")
	sendAPNs(t, app, phone.Token(), bearer, object{"aps": alert, "image_url": image})
	shown := phone.Notification()
	expectEqual(t, shown.Image, image)
	expectEqual(t, phone.MissingImage(shown), nil)
}
