internal import JSON

/// Fern & Oak, a shop whose app reports to Adobe Campaign.
extension Demo {
    private static let app = "com.example.fernandoak"
    private static let project = "fern-and-oak"
    private static let tracking: JSONValue = ["profile": "adobe", "ecid": "40571983264095188372"]

    private static func campaign(_ message: String, _ delivery: String) -> [(String, JSONValue)] {
        [("_mId", .string(message)), ("_dId", .string(delivery)), ("_acsDeliveryTracking", "on")]
    }

    private static func payload(_ aps: JSONValue, _ rest: [(String, JSONValue)]) -> JSONValue {
        .object([("aps", aps)] + rest.map { (key: $0, value: $1) })
    }

    static let shop: [DemoStep] = [
        .device(
            660, "ann-shop",
            [
                "name": "Ann's iPhone", "platform": "ios", "app": .string(app), "project": .string(project),
                "extension": ["script": "adobe"], "tracking": tracking, "locale": "en-GB",
                "categories": [
                    [
                        "id": "ORDER", "customDismissAction": true,
                        "actions": [
                            ["id": "TRACK", "title": "Track parcel", "foreground": true],
                            ["id": "HELP", "title": "Get help"],
                        ],
                    ]
                ],
            ]),
        .device(
            659, "ben-shop",
            [
                "name": "Ben's Pixel", "platform": "android", "app": .string(app), "project": .string(project),
                "tracking": tracking,
                "channels": [["id": "orders", "importance": "high"], ["id": "offers", "importance": "low"]],
            ]),
        .device(
            658, "ella-shop",
            [
                "name": "Ella's Firefox", "platform": "web", "app": "https://fernandoak.example",
                "project": .string(project),
            ]),
        .device(
            657, "leo-shop",
            ["name": "Leo's iPhone", "platform": "ios", "app": .string(app), "project": .string(project)]),
        DemoStep(
            600,
            .apple(
                "ann-shop", fields: ["apns-collapse-id": "order-48213"],
                payload(
                    [
                        "alert": ["title": "Order confirmed", "body": "Your brass lamp ships today."],
                        "sound": "default",
                        "category": "ORDER", "thread-id": "orders",
                    ], campaign("h1a2f", "3c1")))),
        DemoStep(588, .act("ann-shop", "open")),
        DemoStep(
            480,
            .apple(
                "ann-shop",
                payload(
                    [
                        "alert": [
                            "title": "The reading lamp is back", "subtitle": "Only this week",
                            "body": "Brass, linen shade, 20 % off for members.",
                        ], "mutable-content": 1, "badge": 1, "thread-id": "offers",
                    ],
                    campaign("h1b03", "3c2") + [
                        ("media-attachment-url", .string(DemoPicture.lamp.url)), ("uri", "fernandoak://item/48213"),
                    ]))),
        DemoStep(
            479,
            .google(
                "ben-shop", project: project,
                [
                    "notification": [
                        "title": "The reading lamp is back", "body": "Brass, linen shade, 20 % off for members.",
                        "image": .string(DemoPicture.lamp.url),
                    ], "data": ["_mId": "h1b04", "_dId": "3c2", "_acsDeliveryTracking": "on"],
                    "android": [
                        "notification": ["channel_id": "offers", "color": "#3a6b4f"], "collapse_key": "offer",
                    ],
                ])),
        DemoStep(
            478,
            .google(
                "ella-shop", project: project,
                [
                    "webpush": [
                        "notification": [
                            "title": "The reading lamp is back", "body": "20 % off for members.",
                            "image": .string(DemoPicture.lamp.url),
                            "actions": [["action": "shop", "title": "Show it"]],
                        ], "fcm_options": ["link": "https://fernandoak.example/lamps"],
                    ]
                ])),
        DemoStep(471, .act("ben-shop", "open")),
        DemoStep(466, .act("ella-shop", "dismiss")),
        // The sender has misspelled a key, and sends the badge as a string.
        DemoStep(
            312,
            .apple(
                "ann-shop",
                [
                    "aps": [
                        "alert": ["titel": "Still thinking it over?", "body": "Your basket is waiting."], "badge": "2",
                    ]
                ])),
        DemoStep(
            305,
            .apple(
                "ann-shop",
                payload(
                    [
                        "alert": ["title": "Still thinking it over?", "body": "Your basket is waiting."], "badge": 2,
                        "interruption-level": "passive",
                    ], campaign("h1b77", "3c5")))),
        // Leo has removed the app.
        DemoStep(300, .act("leo-shop", "uninstall")),
        DemoStep(296, .apple("leo-shop", ["aps": ["alert": ["title": "We miss you", "body": "Here is 10 % off."]]])),
        DemoStep(
            64,
            .apple(
                "ann-shop", fields: ["apns-collapse-id": "order-48213"],
                payload(
                    [
                        "alert": ["title": "Out for delivery", "body": "Your lamp arrives between 14:00 and 16:00."],
                        "sound": "default", "category": "ORDER", "thread-id": "orders",
                        "interruption-level": "time-sensitive",
                    ], campaign("h1c10", "3c8")))),
        DemoStep(61, .act("ann-shop", "action", action: "TRACK")),
        DemoStep(
            18,
            .google(
                "ben-shop", project: project,
                [
                    "data": [
                        "title": "Delivered", "body": "We left your parcel with your neighbour.", "_mId": "h1c11",
                        "_dId": "3c8", "_acsDeliveryTracking": "on",
                    ], "android": ["priority": "HIGH"],
                ])),
    ]
}
