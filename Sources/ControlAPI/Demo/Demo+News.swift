internal import JSON

/// The Harbor Times, a news app that sends to topics.
extension Demo {
    private static let app = "com.example.harbortimes"
    private static let project = "harbor-times"

    static let news: [DemoStep] = [
        .device(
            655, "nora-news",
            [
                "name": "Nora's iPhone", "platform": "ios", "app": .string(app), "project": .string(project),
                "extension": ["script": "firebase"],
            ]),
        .device(
            654, "omar-news",
            ["name": "Omar's Galaxy", "platform": "android", "app": .string(app), "project": .string(project)]),
        .device(
            653, "finn-news",
            [
                "name": "Finn's Chrome", "platform": "web", "app": "https://harbortimes.example",
                "project": .string(project),
            ]),
        DemoStep(650, .subscribe("morning-brief", to: "nora-news")),
        DemoStep(650, .subscribe("morning-brief", to: "omar-news")),
        DemoStep(650, .subscribe("morning-brief", to: "finn-news")),
        DemoStep(649, .subscribe("sports", to: "omar-news")),
        DemoStep(
            540,
            .google(
                project: project,
                [
                    "topic": "morning-brief",
                    "notification": [
                        "title": "Good morning",
                        "body": "New ferry line opens, rain until noon, and five more stories.",
                        "image": .string(DemoPicture.harbor.url),
                    ], "data": ["edition": "2026-330"],
                    "apns": [
                        "payload": ["aps": ["mutable-content": 1, "thread-id": "brief"]],
                        "fcm_options": ["image": .string(DemoPicture.harbor.url), "analytics_label": "brief"],
                    ], "android": ["notification": ["channel_id": "brief"], "ttl": "21600s"],
                    "webpush": ["fcm_options": ["link": "https://harbortimes.example/brief"]],
                ])),
        DemoStep(531, .act("nora-news", "open")),
        DemoStep(512, .act("omar-news", "dismiss")),
        DemoStep(
            420,
            .apple(
                "nora-news", fields: ["apns-push-type": "background", "apns-priority": "5"],
                ["aps": ["content-available": 1], "refresh": "front-page"])),
        DemoStep(
            250,
            .apple(
                "nora-news", fields: ["apns-collapse-id": "ferry"],
                [
                    "aps": [
                        "alert": [
                            "title": "Breaking: storm warning", "body": "Ferries stop at 18:00. What you need to know.",
                        ],
                        "sound": "default", "interruption-level": "time-sensitive", "mutable-content": 1,
                        "relevance-score": 0.9,
                    ], "fcm_options": ["image": .string(DemoPicture.harbor.url)], "article": 90_412,
                ])),
        DemoStep(
            249,
            .google(
                project: project,
                [
                    "condition": "'morning-brief' in topics && 'sports' in topics",
                    "notification": [
                        "title": "Kick-off is postponed", "body": "Because of the storm, 20:30 instead of 19:00.",
                    ],
                    "android": ["collapse_key": "match", "priority": "HIGH"],
                ])),
        DemoStep(246, .act("nora-news", "open")),
        DemoStep(
            95,
            .google(
                "finn-news", project: project,
                [
                    "notification": [
                        "title": "Your evening read", "body": "The people who paint the lighthouse, in 12 minutes.",
                    ]
                ])),
        // The app with this token was removed long ago.
        DemoStep(
            90,
            .google(
                project: project,
                [
                    "token": "unregistered:tablet",
                    "notification": ["title": "Your evening read", "body": "The people who paint the lighthouse."],
                ])),
    ]
}
