internal import JSON

/// Hopper, an app for rides and deliveries, with a Live Activity and a backend that has trouble.
extension Demo {
    private static let app = "com.example.hopper"
    private static let project = "hopper-app"
    private static let backgroundSync: JSONValue = ["aps": ["content-available": 1], "sync": "drivers"]

    static let rides: [DemoStep] = [
        .device(
            645, "hana-rides",
            ["name": "Hana's iPhone", "platform": "ios", "app": .string(app), "project": .string(project)]),
        .device(
            644, "ravi-rides",
            [
                "name": "Ravi's Pixel", "platform": "android", "app": .string(app), "project": .string(project),
                "channels": [["id": "trips", "importance": "high"]],
            ]),
        .device(
            643, "mia-rides",
            ["name": "Mia's iPhone", "platform": "ios", "app": .string(app), "project": .string(project)]),
        DemoStep(
            400, .apple("hana-rides", fields: ["apns-push-type": "background", "apns-priority": "5"], backgroundSync)),
        DemoStep(
            390,
            .google(
                "ravi-rides", project: project,
                ["data": ["kind": "sync", "zone": "harbor"], "android": ["priority": "NORMAL"]])),
        // A ride, from the request to the door.
        DemoStep(
            150,
            .activity(
                "hana-rides", type: "Ride", ["status": "Driver on the way", "minutes": 6, "progress": 0.1],
                [
                    "event": "start", "attributes": ["driver": "Jonas", "car": "Blue Zoe, HH-HP 204"],
                    "alert": ["title": "Jonas is on the way", "body": "He arrives in 6 minutes."],
                ])),
        DemoStep(
            146, .activity("hana-rides", type: "Ride", ["status": "Driver nearby", "minutes": 2, "progress": 0.3])),
        DemoStep(
            143,
            .activity(
                "hana-rides", type: "Ride", ["status": "On the trip", "minutes": 14, "progress": 0.5],
                ["alert": ["title": "Your car is here", "body": "Blue Zoe, HH-HP 204"]])),
        DemoStep(
            130,
            .activity(
                "hana-rides", type: "Ride", ["status": "Arrived", "minutes": 0, "progress": 1], ["event": "end"])),
        DemoStep(
            128,
            .apple(
                "hana-rides",
                [
                    "aps": [
                        "alert": ["title": "How was your ride with Jonas?", "body": "Tap to rate it."],
                        "thread-id": "trips", "relevance-score": 0.4,
                    ]
                ])),
        DemoStep(121, .act("hana-rides", "dismiss")),
        DemoStep(
            75,
            .google(
                "ravi-rides", project: project,
                [
                    "notification": [
                        "title": "Your tea is on its way", "body": "Pia picked it up at Leaf & Kettle.",
                        "image": .string(DemoPicture.tea.url),
                    ], "android": ["priority": "HIGH", "notification": ["channel_id": "trips", "tag": "order-771"]],
                ])),
        // The backend of the rides fails now and then.
        DemoStep(
            45,
            .call(
                .post, "/faults",
                [
                    "match": ["provider": "fcm", "app": .string(project)], "every": 2,
                    "effect": ["answer": ["status": 503, "reason": "UNAVAILABLE"]],
                ])),
        DemoStep(
            40,
            .google(
                "ravi-rides", project: project,
                [
                    "notification": [
                        "title": "Pia is two minutes away", "body": "Meet her at the door.",
                        "image": .string(DemoPicture.map.url),
                    ], "android": ["priority": "HIGH", "notification": ["channel_id": "trips", "tag": "order-771"]],
                ])),
        DemoStep(
            34,
            .google(
                "ravi-rides", project: project,
                [
                    "notification": ["title": "Enjoy your tea", "body": "Pia says hello."],
                    "android": ["notification": ["channel_id": "trips", "tag": "order-771"]],
                ])),
        // Mia is in the subway.
        DemoStep(25, .call(.patch, "/devices/mia-rides", ["state": ["online": false]])),
        DemoStep(
            22,
            .apple(
                "mia-rides", fields: ["apns-expiration": "4102444800", "apns-collapse-id": "voucher"],
                ["aps": ["alert": ["title": "5 € for your next ride", "body": "Valid until Sunday."], "badge": 1]])),
        DemoStep(
            6, .apple("hana-rides", ["aps": ["alert": ["title": "It is raining", "body": "A car is 3 minutes away."]]])),
    ]
}
