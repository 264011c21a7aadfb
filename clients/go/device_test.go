package pushpit_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pushpit.test/pushpit"
)

func TestAPersonOpensAndDismissesNotifications(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	for _, title := range []string{"One", "Two", "Three"} {
		message := notification(phone.Token(), title)
		message["android"] = object{"notification": object{"tag": title}}
		sendFCM(t, app, message)
	}
	phone.Open()
	phone.Dismiss()
	shade := phone.Shade()
	expectEqual(t, len(shade), 1)
	expectEqual(t, shade[0].Title, "One")
	opened, dismissed := phone.Events("opened"), phone.Events("dismissed")
	expectEqual(t, opened[0].Data["notification"].(string), "Three")
	expectEqual(t, dismissed[0].Data["notification"].(string), "Two")
	phone.Act("clearAll")
	expectMatch(t, failure(t, func(fake testing.TB) { app.Gateway.For(fake).Device(pushpit.Android, nil).Open() }), `shows no notification`)
}

func TestAPersonTapsAButton(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.IOS, object{"categories": []object{{"id": "NEWS", "actions": []object{{"id": "REPLY", "title": "Reply", "text": true}}}}})
	sendAPNs(t, app, phone.Token(), providerToken(t, app), object{"aps": object{"alert": object{"title": "Tea"}, "category": "NEWS"}})
	expectEqual(t, phone.Shade()[0].Actions[0].Title, "Reply")
	phone.TapAction("REPLY", "Yes")
	data := phone.Events("action")[0].Data
	expectEqual(t, data["actionId"].(string)+data["text"].(string), "REPLYYes")
}

func TestAPushWaitsForAPhoneThatIsOffline(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android, object{"state": object{"online": false}})
	sendFCM(t, app, notification(phone.Token(), "Tea"))
	expectEqual(t, strings.Join(phone.Pending(), " "), app.Messages(pushpit.Match{})[0].ID)
	phone.SetState(object{"online": true})
	expectEqual(t, phone.State()["online"].(bool), true)
	expectEqual(t, len(phone.Shade())+10*len(phone.Pending()), 1)
}

func TestTokensDieWithTheAppAndByRotation(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.IOS)
	phone.Uninstall()
	status, reason := sendAPNs(t, app, phone.Token(), providerToken(t, app), object{"aps": object{"alert": "Hello"}})
	expectEqual(t, status, 410)
	expectEqual(t, reason, "Unregistered")
	old := phone.Token()
	phone.Install()
	if phone.Token() == old {
		t.Error("a new installation has the old token")
	}
	android := app.Device(pushpit.Android)
	old = android.Token()
	current := android.RotateToken()
	expectEqual(t, sendFCM(t, app, notification(old, "Tea")).StatusCode, 404)
	expectEqual(t, sendFCM(t, app, notification(current, "Tea")).StatusCode, 200)
	app.Expect(pushpit.Match{Reason: "UNREGISTERED", Token: old}, pushpit.Count(1))
}

func TestATopicReachesItsSubscribers(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	one, other := app.Device(pushpit.Android), app.Device(pushpit.Web)
	one.Subscribe("news")
	other.Subscribe("news")
	other.Unsubscribe("news")
	sendFCM(t, app, object{"topic": "news", "notification": object{"title": "Breakfast"}})
	expectEqual(t, len(one.Shade()), 1)
	expectEqual(t, len(other.Shade()), 0)
	expectEqual(t, len(one.Events("presented")), 1)
	expectEqual(t, len(other.Events("presented")), 0)
	for _, topic := range app.Gateway.Topics() {
		if topic.Project == app.Project {
			expectEqual(t, topic, pushpit.Topic{Name: "news", Project: app.Project, Devices: 1})
		}
	}
}

func TestAPhoneShowsTheImageOfTheMediaTable(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	image := app.Media("bread.png", pushpit.Media{ContentType: "image/png", Size: 100})
	expectEqual(t, image, "https://"+app.ID+".example/bread.png")
	for _, location := range []string{app.Media("none.png", pushpit.Media{Status: 404}), image} {
		message := notification(phone.Token(), "Bread")
		message["notification"].(object)["image"] = location
		sendFCM(t, app, message)
	}
	expectEqual(t, phone.Shade()[0].Image, image)
	outcomes := phone.Events("attachment")
	expectEqual(t, outcomes[0].Data["outcome"].(string)+" "+outcomes[1].Data["outcome"].(string), "failed shown")
}

func TestAFaultHitsAsOftenAsItShouldAndAScenarioUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	send := func() int { return sendFCM(t, app, notification(phone.Token(), "Tea")).StatusCode }
	fault := app.Fault(pushpit.Answer(503, "UNAVAILABLE", object{"headers": object{"retry-after": "2"}}), pushpit.When{Times: 1, For: time.Hour})
	first := sendFCM(t, app, notification(phone.Token(), "Tea"))
	expectEqual(t, first.StatusCode, 503)
	expectEqual(t, first.Header.Get("Retry-After"), "2")
	expectEqual(t, send(), 200)
	expectEqual(t, fault.Fired(), 1)
	scenario := app.Scenario("fcm-503-but-delivered")
	expectEqual(t, send(), 503)
	scenario.Remove()
	scenario.Remove()
	expectEqual(t, send(), 200)
	expectMatch(t, failure(t, func(fake testing.TB) { app.Gateway.For(fake).Fault("503Shutdwn", pushpit.When{}) }), `POST /api/v1/faults was refused with 400 badField: .*503Shutdwn`)
}

func TestASocketGetsEachPushAndWhatThePhoneDoesWithIt(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	socket := phone.Connect()
	expectEqual(t, socket.Welcome.Type, "welcome")
	text := strings.Repeat("ä€😀", 300)
	message := notification(phone.Token(), "Breakfast")
	message["data"] = object{"text": text}
	sendFCM(t, app, message)
	presented := socket.NextEvent("presented", "suppressed")
	push := socket.NextPush()
	expectEqual(t, presented.Push, push.ID)
	expectEqual(t, presented.Data["title"].(string), "Breakfast")
	expectEqual(t, push.Payload.(object)["data"].(object)["text"].(string), text)
	expectEqual(t, socket.Request("ping", nil).Type, "pong")
	_, err := socket.TryRequest("topic", object{"op": "join", "name": "news"})
	var refused *pushpit.CallRefused
	if !errors.As(err, &refused) || refused.Pointer != "/op" {
		t.Errorf("got %v", err)
	}
	_, err = socket.TryNext("a push", 20*time.Millisecond, func(frame pushpit.Frame) bool { return frame.Type == "push" })
	expectMatch(t, err.Error(), `did not get a push within 20ms\. Since the socket was opened it got: welcome; push p\d+; event delivered p\d+`)
}

func TestASocketCatchesUpAfterABreakAndEndsWithItsDevice(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	first := phone.Connect(object{"manualAck": true, "offlineWhenDisconnected": true})
	first.Close()
	expectEqual(t, first.WaitForClose().Code, 1000)
	if _, err := first.TryRequest("ping", nil); err == nil {
		t.Error("a closed socket answers")
	}
	sendFCM(t, app, object{"token": phone.Token(), "data": object{"order": "7"}})
	second := phone.Connect(object{"manualAck": true, "offlineWhenDisconnected": true, "resume": object{"after": first.Welcome.Seq}})
	push := second.NextPush()
	expectEqual(t, second.Request("ack", object{"ids": []string{push.ID}}).Type, "ok")
	phone.Delete()
	expectEqual(t, second.WaitForClose().Code, 4003)
	third := app.Device(pushpit.Android).Connect()
	app.Reset()
	expectEqual(t, third.WaitForClose().Code, 1000)
	var left struct{ Devices []any }
	app.Gateway.Call("GET", "/devices?app="+app.ID, nil, &left)
	expectEqual(t, len(left.Devices), 0)
	expectMatch(t, failure(t, func(fake testing.TB) {
		gone := app.Gateway.For(fake).Device(pushpit.Android, nil)
		gone.Delete()
		gone.Connect()
	}), `closed with code 4001`)
}

func TestABrowserHasAPushSubscription(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	subscription := app.Device(pushpit.Web).Subscription()
	expectMatch(t, subscription.Endpoint, `/fcm/send/`)
	expectEqual(t, len(subscription.Keys.P256dh), 87)
	expectEqual(t, len(subscription.Keys.Auth), 22)
	expectMatch(t, failure(t, func(fake testing.TB) {
		app.Gateway.For(fake).Device(pushpit.IOS, nil).Subscription()
	}), `has no push subscription`)
}
