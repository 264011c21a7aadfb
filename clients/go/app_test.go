package pushpit_test

import (
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"pushpit.test/pushpit"
)

type object = pushpit.JSON

func notification(token, title string) object {
	return object{"token": token, "notification": object{"title": title}}
}

func expectMatch(t *testing.T, text, pattern string) {
	t.Helper()
	if !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("%q does not match %q", text, pattern)
	}
}

func expectEqual[Value comparable](t *testing.T, got, wanted Value) {
	t.Helper()
	if got != wanted {
		t.Errorf("got %v, wanted %v", got, wanted)
	}
}

func TestAPushArrivesAndThePhoneShowsIt(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	message := notification(phone.Token(), "Breakfast")
	message["data"] = object{"order": "7"}
	expectEqual(t, sendFCM(t, app, message).StatusCode, 200)
	match := pushpit.Match{Device: phone.ID, Outcome: "accepted", Body: object{"/message/data/order": "7"}}
	found := app.Expect(match, pushpit.Count(1))
	expectEqual(t, found[0].Request.Body.(object)["message"].(object)["notification"].(object)["title"].(string), "Breakfast")
	expectEqual(t, phone.Shade()[0].Title, "Breakfast")
	expectEqual(t, app.Messages(pushpit.Match{Body: object{"/message/data/order": "7"}})[0].ID, found[0].ID)
	expectEqual(t, len(app.Messages(pushpit.Match{Body: object{"/message/data/order": "8"}})), 0)
}

func TestAnIPhoneGetsAPushThatIsSignedWithTheCredentialsOfTheApp(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.IOS, object{"name": "Ann's phone"})
	status, reason := sendAPNs(t, app, phone.Token(), providerToken(t, app), object{"aps": object{"alert": object{"title": "Tea"}, "badge": 3}})
	expectEqual(t, status, 200)
	expectEqual(t, reason, "")
	found := app.Expect(pushpit.Match{Provider: "apns", Headers: object{"apns-topic": app.ID}, Body: object{"/aps/badge": 3}})
	expectEqual(t, len(found[0].Findings), 0)
	expectEqual(t, phone.Badge(), 3)
}

func TestEventsPatternsAndSequencesCanBeExpected(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	phone := app.Device(pushpit.Android)
	const title = "/message/notification/title"
	for _, text := range []string{"Breakfast", "Lunch"} {
		sendFCM(t, app, notification(phone.Token(), text))
	}
	phone.Open()
	opened := &pushpit.EventMatch{Kind: "opened", Device: phone.ID}
	lunch := app.Expect(pushpit.Match{Event: opened, Body: object{title: pushpit.Prefix("Lu")}}, pushpit.Count(1))
	expectEqual(t, lunch[0].Request.Body.(object)["message"].(object)["notification"].(object)["title"].(string), "Lunch")
	app.Expect(pushpit.Match{Event: &pushpit.EventMatch{Kind: "presented", Data: object{"/title": pushpit.Regex("^Break")}}})
	breakfast := pushpit.Match{Body: object{title: "Breakfast"}}
	expectEqual(t, len(app.ExpectSequence([]pushpit.Match{breakfast, {Body: object{title: "Lunch"}}})), 2)
	expectMatch(t, failure(t, func(fake testing.TB) {
		app.Gateway.For(fake).NewApp().ExpectSequence([]pushpit.Match{{App: app.ID, Body: object{title: "Lunch"}}, {App: app.ID, Body: breakfast.Body}}, pushpit.Within(0))
	}), `Number 2 of the sequence .* is missing`)
	_, err := app.TryExpect(pushpit.Match{Event: &pushpit.EventMatch{Kind: "suppressed"}}, pushpit.Within(0))
	expectMatch(t, err.Error(), `\nNearest:\n  event \w+ of \w+, p\d+: FCM push "Lunch" of .*\n    event/kind: expected "suppressed", got`)
}

func TestTwoAppsAtATimeDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	one, other := pushpit.NewApp(t), pushpit.NewApp(t)
	other.Fault(pushpit.Answer(503, "UNAVAILABLE"))
	expectEqual(t, sendFCM(t, one, notification(one.Device(pushpit.Android).Token(), "Tea")).StatusCode, 200)
	one.Expect(pushpit.Match{}, pushpit.Count(1))
	other.Expect(pushpit.Match{}, pushpit.Never(), pushpit.Within(0))
	other.Reset()
	expectEqual(t, len(one.Messages(pushpit.Match{})), 1)
}

func TestEverythingOfAnAppEndsWithItsTest(t *testing.T) {
	t.Parallel()
	gateway := pushpit.Shared(t)
	var id string
	t.Run("inner", func(t *testing.T) {
		app := pushpit.NewApp(t)
		id = app.ID
		phone := app.Device(pushpit.Android)
		phone.Connect()
		app.Fault("503Shutdown")
		app.Media("bread.png", pushpit.Media{Content: []byte("no picture")})
		sendFCM(t, app, notification(phone.Token(), "Tea"))
	})
	expectEqual(t, len(gateway.Messages(pushpit.Match{App: id})), 0)
	for _, path := range []string{"/devices?limit=1000", "/faults?limit=1000", "/media?limit=1000"} {
		var rows any
		gateway.Call("GET", path, nil, &rows)
		if regexp.MustCompile(id).MatchString(pushpit.ShownForTests(rows)) {
			t.Errorf("%s still has %s", path, id)
		}
	}
}

func TestAnAppWithADifferentProjectHasThePushesOfBoth(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t, pushpit.WithID("com.example.go-kit"), pushpit.WithProject("go-kit"))
	phone := app.Device(pushpit.Android)
	phone.Subscribe("news")
	sendFCM(t, app, object{"topic": "news", "notification": object{"title": "Breakfast"}})
	sendFCM(t, app, notification(phone.Token(), "Lunch"))
	app.Expect(pushpit.Match{Topic: "news"}, pushpit.Count(1))
	app.Expect(pushpit.Match{Device: phone.ID, Body: object{"/message/notification/title": "Lunch"}})
	found := app.Messages(pushpit.Match{})
	expectEqual(t, len(found), 2)
	expectEqual(t, found[0].App+" "+found[1].App, "com.example.go-kit go-kit")
	expectEqual(t, found[1].String(), found[1].ID+": FCM push \"Breakfast\" of go-kit to topic news ("+phone.ID+"), accepted: 200")
	app.Expect(pushpit.Match{}, pushpit.Count(2))
	fault := app.Fault("503Shutdown", pushpit.When{Times: 1})
	topic := object{"topic": "news", "notification": object{"title": "Tea"}}
	expectEqual(t, sendFCM(t, app, topic).StatusCode, 503)
	_, reason := sendAPNs(t, app, app.Device(pushpit.IOS).Token(), providerToken(t, app), object{"aps": object{"alert": "Tea"}})
	expectEqual(t, reason, "Shutdown")
	expectEqual(t, fault.Fired(), 2)
	app.Fault(pushpit.Answer(429, ""), pushpit.When{Match: pushpit.Match{Provider: "apns"}})
	expectEqual(t, sendFCM(t, app, topic).StatusCode, 200)
}

func TestCredentialsExpireForOneAppAlone(t *testing.T) {
	t.Parallel()
	one, other := pushpit.NewApp(t), pushpit.NewApp(t)
	oneToken, otherToken := providerToken(t, one), providerToken(t, other)
	onePhone, otherPhone := one.Device(pushpit.IOS), other.Device(pushpit.IOS)
	hello := object{"aps": object{"alert": "Hello"}}
	for _, wanted := range []string{"", "ExpiredProviderToken"} {
		_, reason := sendAPNs(t, one, onePhone.Token(), oneToken, hello)
		expectEqual(t, reason, wanted)
		_, reason = sendAPNs(t, other, otherPhone.Token(), otherToken, hello)
		expectEqual(t, reason, "")
		one.ExpireCredentials()
	}
}

func TestASenderSignsInWithTheAccountOfTheAppWithoutACertificate(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	message := notification(app.Device(pushpit.Android).Token(), "Tea")
	bearer := accessToken(t, app)
	expectEqual(t, sendFCMAs(t, app, bearer, message).StatusCode, 200)
	app.ExpireCredentials()
	expectEqual(t, sendFCMAs(t, app, bearer, message).StatusCode, 401)
	expectEqual(t, sendFCMAs(t, app, accessToken(t, app), message).StatusCode, 200)
}

func TestAccessTokensExpireForOneOfTwoAppsThatShareAProject(t *testing.T) {
	t.Parallel()
	one := pushpit.NewApp(t)
	other := pushpit.NewApp(t, pushpit.WithProject(one.Project))
	statuses := func(tokens ...string) (found [2]int) {
		for index, app := range []*pushpit.App{one, other} {
			message := notification(app.Device(pushpit.Android).Token(), "Tea")
			found[index] = sendFCMAs(t, app, tokens[index], message).StatusCode
		}
		return
	}
	tokens := []string{accessToken(t, one), accessToken(t, other)}
	one.ExpireCredentials()
	expectEqual(t, statuses(tokens...), [2]int{401, 200})
}

func TestAGatewayThatChecksEverythingAcceptsTheCredentialsOfAnApp(t *testing.T) {
	t.Parallel()
	app := pushpit.Start(t, "--auth", "strict").NewApp()
	message := notification(app.Device(pushpit.Android).Token(), "Tea")
	expectEqual(t, sendFCMAs(t, app, accessToken(t, app), message).StatusCode, 200)
	status, reason := sendAPNs(t, app, app.Device(pushpit.IOS).Token(), providerToken(t, app), object{"aps": object{"alert": "Hello"}})
	expectEqual(t, status, 200)
	expectEqual(t, reason, "")
}

func TestTokensOfAnAppExpireOnlyIfSomeoneHasItsCredentials(t *testing.T) {
	t.Parallel()
	app := pushpit.NewApp(t)
	expectMatch(t, failure(t, func(fake testing.TB) { app.Gateway.For(fake).NewApp().ExpireCredentials() }),
		`^no sender has the credentials of com\.example\..*app\.Credentials\(\).*"/credentials/expire"`)
}

func TestTheClockIsMovedIfNoOtherTestUsesTheGateway(t *testing.T) {
	t.Parallel()
	gateway := pushpit.Start(t)
	var before time.Time
	t.Run("alone", func(t *testing.T) {
		app := gateway.For(t).NewApp()
		clock := app.Clock()
		before = clock.Now()
		if clock.Advance(2*time.Hour).Sub(before) < 2*time.Hour {
			t.Error("the clock has not moved")
		}
		clock.Freeze()
		noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
		expectEqual(t, clock.Set(noon), noon)
		expectMatch(t, failure(t, func(t testing.TB) { gateway.For(t).NewApp().Clock() }), `while others have apps \(now 1\): .*pushpit\.Start`)
	})
	app := gateway.NewApp()
	if app.Clock().Now().Sub(before) >= 2*time.Hour {
		t.Error("the clock was not set to the real time when the app ended")
	}
	var clock struct{ Frozen bool }
	gateway.Call("GET", "/clock", nil, &clock)
	expectEqual(t, clock.Frozen, false)
}

func TestAnAppOfAnotherTestWaitsUntilTheClockIsReset(t *testing.T) {
	t.Parallel()
	gateway := pushpit.Start(t)
	taken, asking := make(chan struct{}), make(chan struct{})
	var isDone atomic.Bool
	t.Run("clock", func(t *testing.T) {
		t.Parallel()
		clock := gateway.For(t).NewApp().Clock()
		clock.Advance(time.Hour)
		close(taken)
		<-asking
		t.Run("subtest", func(t *testing.T) { gateway.For(t).NewApp().Device(pushpit.IOS) })
		if time.Until(clock.Now()) < 30*time.Minute {
			t.Error("the clock was reset too early")
		}
		isDone.Store(true)
	})
	t.Run("other", func(t *testing.T) {
		t.Parallel()
		<-taken
		close(asking)
		late := time.Until(gateway.For(t).NewApp().Gateway.Clock().Now())
		if !isDone.Load() || late > 30*time.Minute {
			t.Errorf("the test did not wait, or its clock is wrong by %s", late)
		}
	})
}
