// Over 200 lines: one table with one row for each rule.
/// Every rule without its texts: its id, its effect with the severities in `strict` and in `service`, its evidence.
/// Clients rely on these words, so a row changes only together with the behavior.
enum RuleSnapshot {
    static let rows = """
        apns.BadCollapseId: 400 (refused, refused), documented; apns.BadDeviceToken: 400 (refused, refused), documented
        apns.BadExpirationDate: 400 (refused, refused), documented; apns.BadMessageId: 400 (refused, refused), documented
        apns.BadPriority: 400 (refused, refused), documented; apns.BadTopic: 400 (refused, refused), assumed
        apns.DeviceTokenNotForTopic: 400 (refused, refused), documented
        apns.DuplicateHeaders: 400 (refused, refused), documented; apns.IdleTimeout: 400 (refused, refused), documented
        apns.InvalidPushType: 400 (refused, refused), observed 2019-09
        apns.MissingDeviceToken: 400 (refused, refused), observed; apns.MissingTopic: 400 (refused, refused), documented
        apns.PayloadEmpty: 400 (refused, refused), documented; apns.TopicDisallowed: 400 (refused, refused), documented
        apns.BadCertificate: 403 (refused, refused), observed 2016
        apns.BadCertificateEnvironment: 403 (refused, refused), observed 2016
        apns.ExpiredProviderToken: 403 (refused, refused), documented; apns.Forbidden: 403 (refused, refused), assumed
        apns.InvalidProviderToken: 403 (refused, refused), observed
        apns.MissingProviderToken: 403 (refused, refused), observed
        apns.UnrelatedKeyIdInToken: 403 (refused, refused), documented
        apns.BadEnvironmentKeyInToken: 403 (refused, refused), observed 2025-10
        apns.BadPath: 404 (refused, refused), observed; apns.MethodNotAllowed: 405 (refused, refused), observed
        apns.ExpiredToken: 410 (refused, refused), documented; apns.Unregistered: 410 (refused, refused), documented
        apns.PayloadTooLarge: 413 (refused, refused), documented
        apns.TooManyProviderTokenUpdates: 429 (refused, refused), documented
        apns.TooManyRequests: 429 (refused, refused), documented
        apns.InternalServerError: 500 (refused, refused), documented
        apns.ServiceUnavailable: 503 (refused, refused), documented; apns.Shutdown: 503 (refused, refused), observed
        apns.BroadcastFeatureNotEnabled: 400 (refused, refused), observed
        apns.MissingChannelId: 400 (refused, refused), documented
        apns.BadChannelId: 400 (refused, refused), observed 2026-09
        apns.ChannelNotRegistered: 400 (refused, refused), observed 2026-09
        apns.BadRequestParams: 400 (refused, refused), documented
        apns.BadRequestPayload: 400 (refused, refused), documented; apns.MissingPushType: 400 (refused, refused), documented
        apns.MissingChannelQueueSize: 400 (refused, refused), observed
        apns.CannotCreateChannelConfig: 400 (refused, refused), documented
        apns.TopicMismatch: 403 (refused, refused), documented; apns.InvalidPayload: 400, strict (refused, none), ours
        payload.not-json: 400, strict (refused, error), ours; payload.not-an-object: 400, strict (refused, error), ours
        aps.wrong-type: 400, strict (refused, error), ours; aps.mutable-content-not-1: 400, strict (refused, error), ours
        media.needs-mutable-content: 400, strict (refused, error), ours
        media.not-an-absolute-url: 400, strict (refused, error), ours
        media.no-file-extension: 400, strict (refused, error), ours
        media.unknown-file-extension: 400, strict (refused, error), ours
        live-activity.incomplete: 400, strict (refused, error), ours
        live-activity.broadcast-start: 400, strict (refused, error), ours; aps.unknown-key: finding (note, note), ours
        aps.mutable-content-without-alert: finding (warning, warning), ours
        background.with-alert: finding (warning, warning), ours
        background.without-content-available: finding (warning, warning), ours
        alert.only-content-available: finding (warning, warning), ours
        background.priority-10: finding (warning, warning), ours; media.http: finding (warning, warning), ours
        payload.simulator-target-bundle: finding (note, note), ours; payload.null-value: finding (warning, warning), ours
        payload.mutable-content-beside-aps: finding (warning, warning), ours
        aps.sound-shape: finding (warning, warning), ours; aps.interruption-level: finding (warning, warning), ours
        aps.relevance-score: finding (warning, warning), ours
        media.host-looks-like-a-file: finding (warning, warning), ours
        adobe.tracking-switch: finding (warning, warning), ours; adobe.tracking-id: finding (warning, warning), ours
        aps.null-value: finding (note, note), ours; aps.flag-not-a-number: finding (warning, warning), ours
        aps.empty-value: finding (note, note), ours; payload.misspelled-key: finding (warning, warning), ours
        media.unread-key: finding (note, note), ours; media.localhost: finding (warning, warning), ours
        aps.critical-without-critical-sound: finding (warning, warning), ours
        live-activity.milliseconds: finding (warning, warning), ours; payload.no-aps: finding (note, note), ours
        payload.alert-beside-aps: finding (warning, warning), ours; media.empty-url: finding (note, note), ours
        payload.duplicate-key: finding (warning, warning), ours; aps.negative-badge: finding (warning, warning), ours
        apns.expiration-milliseconds: finding (warning, warning), ours
        apns.expiration-lifetime: finding (warning, warning), ours; apns.expiration-past: finding (warning, warning), ours
        apns.misspelled-field: finding (warning, warning), ours; auth.unknown-key: finding (note, note), ours
        apns.needs-http2: 505 (refused, refused), ours; fcm.credentials-missing: 401 (refused, refused), observed
        fcm.credentials-invalid: 401 (refused, refused), observed; fcm.credentials-type: 401 (refused, refused), assumed
        fcm.credentials-expired: 401 (refused, refused), documented; fcm.key-alone: 401 (refused, refused), assumed
        fcm.query: 400 (refused, refused), assumed; fcm.scope: 403 (refused, refused), assumed
        fcm.no-permission: 403 (refused, refused), observed; fcm.already-subscribed: 409 (refused, refused), documented
        fcm.no-subscription: 404 (refused, refused), documented; fcm.too-many-topics: 429 (refused, refused), documented
        fcm.topic-quota: 429 (refused, refused), ours; fcm.page: 400 (refused, refused), assumed
        fcm.legacy-gone: 404 (refused, refused), observed; fcm.connect: 400 (refused, refused), observed
        fcm.form-body: 400 (refused, refused), assumed; fcm.broken-gzip: 400 (refused, refused), assumed
        fcm.not-json: 400 (refused, refused), observed; fcm.conversion: 400 (refused, refused), observed
        fcm.no-target: 400 (refused, refused), observed; fcm.topic-name: 400 (refused, refused), observed
        fcm.token-malformed: 400 (refused, refused), observed; fcm.condition: 400 (refused, refused), observed
        fcm.too-large: 400 (refused, refused), observed; fcm.webpush-ttl: 400 (refused, refused), observed
        fcm.aps-missing: 400 (refused, refused), observed; fcm.aps-empty: 400 (refused, refused), observed
        fcm.aps-type: 400 (refused, refused), observed; fcm.android-twice: 400 (refused, refused), documented
        fcm.reserved-key: 400 (refused, refused), documented; fcm.other-package: 400 (refused, refused), documented
        fcm.ttl: 400 (refused, refused), documented; fcm.color: 400 (refused, refused), documented
        fcm.light-settings: 400 (refused, refused), documented; fcm.analytics-label: 400 (refused, refused), documented
        fcm.android-kind: 400 (refused, refused), documented; fcm.image-https: 400 (refused, refused), documented
        fcm.vibrate-timings: 400 (refused, refused), assumed; fcm.UNREGISTERED: 404 (refused, refused), observed
        fcm.SENDER_ID_MISMATCH: 403 (refused, refused), observed; fcm.QUOTA_EXCEEDED: 429 (refused, refused), documented
        fcm.project-quota: 429 (refused, refused), observed 2025-09; fcm.UNAVAILABLE: 503 (refused, refused), documented
        fcm.INTERNAL: 500 (refused, refused), observed; fcm.THIRD_PARTY_AUTH_ERROR: 401 (refused, refused), documented
        fcm.INVALID_ARGUMENT: 400 (refused, refused), observed; fcm.data-priority: 400 (refused, refused), documented
        auth.unknown-bearer: finding (note, note), ours; iid.unauthorized: 401 (refused, refused), observed 2023-01
        iid.bad-call: 400 (refused, refused), assumed; iid.bad-token: 400 (refused, refused), observed
        iid.unknown-token: 404 (refused, refused), observed; fcm.no-subscribers: finding (warning, warning), ours
        fcm.refused-by-apple: finding (warning, warning), assumed; fcm.legacy-shape: finding (warning, warning), documented
        fcm.legacy-change: finding (note, note), documented; fcm.image-extension: finding (warning, warning), ours
        fcm.image-not-absolute: finding (warning, warning), ours
        fcm.image-without-mutable-content: finding (warning, warning), documented
        fcm.media-in-data: finding (warning, warning), ours
        fcm.mutable-content-misplaced: finding (warning, warning), observed
        fcm.misspelled-key: finding (warning, warning), observed; fcm.image-in-data: finding (note, note), ours
        fcm.image-localhost: finding (warning, warning), ours; fcm.webpush-image: finding (warning, warning), observed
        fcm.collapse-key-per-message: finding (note, note), assumed
        fcm.collapse-key-ignored: finding (note, note), documented; fcm.high-priority-data: finding (note, note), documented
        fcm.nothing-to-deliver: finding (note, note), ours
        fcm.silent-for-apple: finding (warning, warning), observed 2021-04; apns.received: event (note, note), documented
        apns.delivered: event (note, note), documented; apns.delivered-from-storage: event (note, note), observed
        apns.stored-offline: event (note, note), documented; apns.stored-power: event (note, note), assumed
        apns.discarded-unregistered: event (note, note), observed
        apns.discarded-unregistered-from-storage: event (note, note), observed
        apns.discarded-expired: event (note, note), documented; apns.discarded-disabled: event (note, note), observed
        apns.discarded-disabled-from-storage: event (note, note), observed; fcm.delivered: event (note, note), documented
        fcm.delivered-late: event (note, note), documented; fcm.delivered-after-doze: event (note, note), documented
        fcm.delivered-after-throttle: event (note, note), documented
        fcm.delivered-after-stop: event (note, note), documented; fcm.pending: event (note, note), documented
        fcm.collapsed: event (note, note), documented; fcm.too-many-pending: event (note, note), documented
        fcm.ttl-expired: event (note, note), documented; fcm.force-stopped: event (note, note), documented
        fcm.device-inactive: event (note, note), assumed; apns.overwritten: event (note, note), documented
        apns.collapsed: event (note, note), assumed; apns.background-priority: event (note, note), documented
        apns.wrong-push-type: event (note, note), documented; fcm.restricted-package: event (note, note), documented
        devices.storage-full: event (note, note), ours; devices.capacity: event (note, note), ours
        devices.deleted: event (note, note), ours; devices.reset: event (note, note), ours
        browser.away: event (note, note), observed; browser.expired: event (note, note), observed
        browser.not-connected: event (note, note), observed; browser.too-many: event (note, note), assumed
        browser.replaced: event (note, note), observed; browser.unsubscribed: event (note, note), observed
        browser.withdrawn: event (note, note), documented; browser.not-encrypted: event (note, note), ours
        browser.unreadable: event (note, note), observed; ios.shown: event (note, note), documented
        ios.foreground: event (note, note), assumed; ios.foreground-silent: event (note, note), documented
        ios.locked: event (note, note), documented; ios.provisional: event (note, note), observed
        ios.focus: event (note, note), documented; ios.no-entitlement: event (note, note), assumed
        ios.passive: event (note, note), documented; ios.not-allowed: event (note, note), documented
        ios.nothing-to-show: event (note, note), documented; ios.collapsed: event (note, note), observed
        ios.badge: event (note, note), documented; ios.woken: event (note, note), documented
        ios.force-quit: event (note, note), documented; ios.background-refresh-off: event (note, note), documented
        ios.background-held: event (note, note), documented; ios.background-replaced: event (note, note), documented
        ios.background-dropped: event (note, note), documented; ios.live-activity: event (note, note), documented
        ios.live-activity-over: event (note, note), documented; ios.live-activity-old: event (note, note), documented
        ios.live-activity-stale: event (note, note), documented; ios.live-activity-dismissed: event (note, note), documented
        ios.voip: event (note, note), documented; ios.call: event (note, note), documented
        ios.call-not-reported: event (note, note), documented; ios.voip-blocked: event (note, note), assumed
        ios.push-to-talk: event (note, note), documented; ios.push-to-talk-left: event (note, note), observed
        ios.location-push: event (note, note), documented; ios.complication: event (note, note), documented
        ios.file-provider: event (note, note), documented; ios.widgets: event (note, note), documented
        ios.extension: event (note, note), documented; ios.extension-timeout: event (note, note), documented
        ios.extension-crash: event (note, note), assumed; ios.extension-empty: event (note, note), documented
        ios.no-extension: event (note, note), documented; ios.not-mutable: event (note, note), documented
        ios.alert-not-a-dictionary: event (note, note), documented; ios.image-ignored: event (note, note), ours
        ios.attachment: event (note, note), documented; ios.attachment-type: event (note, note), documented
        ios.attachment-size: event (note, note), documented; ios.attachment-content: event (note, note), documented
        ios.attachment-url: event (note, note), observed; fetch.skipped: event (note, note), ours
        fetch.http: event (note, note), documented; fetch.failed: event (note, note), observed
        person.opened: event (note, note), documented; person.dismissed: event (note, note), documented
        person.acted: event (note, note), documented; person.launched: event (note, note), documented
        person.force-quit: event (note, note), documented; android.data: event (note, note), observed
        android.foreground: event (note, note), observed; android.shown: event (note, note), observed
        android.duplicate: event (note, note), observed; android.not-allowed: event (note, note), documented
        android.channel-off: event (note, note), documented; android.tag: event (note, note), observed
        android.no-activity: event (note, note), assumed; android.image: event (note, note), observed
        android.image-failed: event (note, note), observed; android.image-slow: event (note, note), observed
        android.own-notification: event (note, note), documented; web.visible: event (note, note), observed
        web.shown: event (note, note), observed; web.nothing-to-show: event (note, note), observed
        web.not-allowed: event (note, note), documented; web.tag: event (note, note), documented
        web.no-link: event (note, note), observed; web.push: event (note, note), documented
        web.declarative: event (note, note), documented; adobe.hit: event (note, note), observed
        fault.goawayShutdown: fault (note, note), observed; fault.goawayKeptOpen: fault (note, note), observed 2026-04
        fault.goawayIdle: fault (note, note), documented; fault.goawayCert: fault (note, note), observed 2016
        fault.goawayPlainText: fault (note, note), observed 2016
        fault.resetConnection: fault (note, note), observed 2026-04; fault.blackHole: fault (note, note), observed
        fault.silentAfterExpired: fault (note, note), assumed; fault.wedged500: fault (note, note), observed 2016
        fault.stickyTokenUpdates: fault (note, note), observed; fault.refusedStream: fault (note, note), observed 2017
        fault.streamLimitDrop: fault (note, note), observed 2016; fault.503Shutdown: fault (note, note), documented
        fault.503ServiceUnavailable: fault (note, note), documented
        fault.500InternalServerError: fault (note, note), documented
        fault.429TooManyRequests: fault (note, note), documented; fault.slowResponse: fault (note, note), observed 2020
        fault.lostResponse: fault (note, note), assumed; fault.duplicateDelivery: fault (note, note), observed
        fault.410Fuzzy: fault (note, note), observed; fault.badJSONBody: fault (note, note), assumed
        fault.htmlBody: fault (note, note), assumed; fault.emptyErrorBody: fault (note, note), assumed
        fault.tlsHandshakeFail: fault (note, note), assumed; fault.certRotation: fault (note, note), assumed
        fault.slowAccept: fault (note, note), assumed; fault.tooManyConnections: fault (note, note), assumed
        fault.noStreams: fault (note, note), assumed; fault.custom: fault (note, note), ours
        fault.magic-token: fault (note, note), ours; webpush.too-large: 400 (refused, refused), observed
        webpush.unknown-token: 404 (refused, refused), observed; webpush.no-authorization: 401 (refused, refused), observed
        webpush.no-key: 403 (refused, refused), assumed; webpush.bad-key: 403 (refused, refused), assumed
        webpush.key-not-base64: 403 (refused, refused), assumed; webpush.key-compressed: 403 (refused, refused), assumed
        webpush.key-not-on-curve: 403 (refused, refused), assumed; webpush.bad-jwt: 403 (refused, refused), observed
        webpush.no-exp: 403 (refused, refused), assumed; webpush.expired: 403 (refused, refused), assumed
        webpush.exp-too-late: 403 (refused, refused), assumed; webpush.bad-aud: 403 (refused, refused), assumed
        webpush.other-key: 403 (refused, refused), observed; webpush.other-sender: 403 (refused, refused), observed
        webpush.unsubscribed: 410 (refused, refused), observed
        webpush.bad-ttl: 400 (refused, refused), assumed; webpush.bad-topic: 400 (refused, refused), assumed
        mozilla.unknown-token: 404 (refused, refused), observed; mozilla.no-key: 401 (refused, refused), observed
        mozilla.no-jwt: 401 (refused, refused), observed; mozilla.bad-key: 401 (refused, refused), observed
        mozilla.other-key: 401 (refused, refused), observed; mozilla.unsubscribed: 410 (refused, refused), observed
        mozilla.bad-jwt: 401 (refused, refused), observed; mozilla.bad-claim: 401 (refused, refused), observed
        mozilla.expired: 401 (refused, refused), observed; mozilla.exp-too-late: 401 (refused, refused), observed
        mozilla.bad-aud: 401 (refused, refused), observed; mozilla.unknown-scheme: 401 (refused, refused), observed
        mozilla.too-large: 413 (refused, refused), observed; mozilla.no-ttl: 400 (refused, refused), observed
        mozilla.negative-ttl: 400 (refused, refused), observed; mozilla.long-topic: 400 (refused, refused), observed
        mozilla.bad-topic: 400 (refused, refused), observed; mozilla.no-encoding: 400 (refused, refused), observed
        mozilla.unknown-encoding: 400 (refused, refused), observed; mozilla.no-encryption: 400 (refused, refused), observed
        mozilla.no-salt: 400 (refused, refused), observed; mozilla.unwanted-dh: 400 (refused, refused), observed
        apple-webpush.bad-path: 404 (refused, refused), documented
        apple-webpush.too-large: 413 (refused, refused), documented; apple-webpush.bad-key: 403 (refused, refused), observed
        apple-webpush.bad-jwt: 403 (refused, refused), documented; apple-webpush.bad-sub: 403 (refused, refused), documented
        apple-webpush.unsubscribed: 410 (refused, refused), documented
        apple-webpush.other-key: 400 (refused, refused), observed; apple-webpush.bad-ttl: 400 (refused, refused), observed
        apple-webpush.bad-urgency: 400 (refused, refused), observed
        apple-webpush.bad-topic: 400 (refused, refused), observed
        apple-webpush.bad-encoding: 400 (refused, refused), assumed; oauth.refused: 400 (refused, refused), ours
        gateway.bad-call: 400 (refused, refused), ours; gateway.bad-handshake: 400 (refused, refused), ours
        gateway.no-token: 401 (refused, refused), ours; gateway.stranger: 403 (refused, refused), ours
        gateway.no-tunnel: 403 (refused, refused), ours; gateway.no-proxy-token: 407 (refused, refused), ours
        gateway.no-such-path: 404 (refused, refused), ours; gateway.wrong-method: 405 (refused, refused), ours
        gateway.conflict: 409 (refused, refused), ours; gateway.disk: 503 (refused, refused), ours
        gateway.body-too-long: 413 (refused, refused), ours; gateway.no-upgrade: 426 (refused, refused), ours
        gateway.not-there-yet: 501 (refused, refused), ours; http2.after-goaway: event (note, note), observed 2026-04
        http2.header-too-large: 431 (refused, refused), ours; http1.request-line: 400 (refused, refused), ours
        http1.request-line-too-long: 414 (refused, refused), ours; http1.empty-lines: 400 (refused, refused), ours
        http1.method: 400 (refused, refused), ours; http1.method-in-lower-case: 501 (refused, refused), ours
        http1.connect: 400 (refused, refused), ours; http1.target: 400 (refused, refused), ours
        http1.target-character: 400 (refused, refused), ours; http1.target-fragment: 400 (refused, refused), ours
        http1.target-asterisk: 400 (refused, refused), ours; http1.target-authority: 400 (refused, refused), ours
        http1.version: 400 (refused, refused), ours; http1.version-unsupported: 505 (refused, refused), ours
        http1.not-http: 400 (refused, refused), ours; http1.bare-line-feed: 400 (refused, refused), ours
        http1.bare-carriage-return: 400 (refused, refused), ours; http1.control-character: 400 (refused, refused), ours
        http1.field-without-colon: 400 (refused, refused), ours; http1.field-name-empty: 400 (refused, refused), ours
        http1.field-name: 400 (refused, refused), ours; http1.space-before-colon: 400 (refused, refused), ours
        http1.folded-field: 400 (refused, refused), ours; http1.header-too-large: 431 (refused, refused), ours
        http1.too-many-fields: 431 (refused, refused), ours; http1.host-missing: 400 (refused, refused), ours
        http1.host-twice: 400 (refused, refused), ours; http1.host: 400 (refused, refused), ours
        http1.expectation: 417 (refused, refused), ours; http1.content-length: 400 (refused, refused), ours
        http1.content-length-twice: 400 (refused, refused), ours
        http1.content-length-too-large: 400 (refused, refused), ours; http1.transfer-encoding: 400 (refused, refused), ours
        http1.transfer-encoding-twice: 400 (refused, refused), ours
        http1.transfer-encoding-with-length: 400 (refused, refused), ours
        http1.transfer-encoding-in-http-1.0: 400 (refused, refused), ours
        http1.transfer-coding-unknown: 501 (refused, refused), ours; http1.chunk-size: 400 (refused, refused), ours
        http1.chunk-size-too-large: 400 (refused, refused), ours; http1.chunk-extension: 400 (refused, refused), ours
        http1.chunk-line-too-long: 400 (refused, refused), ours; http1.chunk-end: 400 (refused, refused), ours
        http1.trailers-too-large: 431 (refused, refused), ours; http1.too-many-trailers: 431 (refused, refused), ours
        http1.timeout: 408 (refused, refused), ours; http1.body-too-large: 413 (refused, refused), ours
        """
}
