/// What to do about each rule, and when a behaviour was seen, where that is known (facts/apns.md).
enum Remedy {
    struct Row: Sendable {
        let text: String
        /// A year, or a year and a month.
        var observed: String?
    }

    static let table: [String: Row] = [
        "apns.BadCollapseId": Row(text: "Shorten apns-collapse-id to 64 octets of UTF-8."),
        "apns.BadDeviceToken": Row(text: "Send the token as 64 to 200 hex digits, to the environment it was made for."),
        "apns.BadExpirationDate": Row(
            text: "Send apns-expiration as whole seconds since 1970, and 0 to a channel that stores nothing."),
        "apns.BadMessageId": Row(text: "Send apns-id as a UUID of the form 8-4-4-4-12, or leave it out."),
        "apns.BadPriority": Row(text: "Set apns-priority to 10, 5 or 1."),
        "apns.BadTopic": Row(text: "Write apns-topic in letters, digits, '.', '-' and '_' only, at most 255 of them."),
        "apns.DeviceTokenNotForTopic": Row(
            text: "Set apns-topic to the topic that the app registered this device token for."),
        "apns.DuplicateHeaders": Row(text: "Send authorization and each field that begins with apns- once."),
        "apns.IdleTimeout": Row(text: "Send a PING now and then, and open a new connection when this GOAWAY comes."),
        "apns.InvalidPushType": Row(
            text: "Choose an apns-push-type that Apple knows, and give apns-topic the suffix of that type.",
            observed: "2019-09"),
        "apns.MissingDeviceToken": Row(text: "Put the device token behind /3/device/ in the path."),
        "apns.MissingTopic": Row(text: "Add apns-topic with the app's bundle id."),
        "apns.PayloadEmpty": Row(text: "Send a JSON object as the body, if only {}."),
        "apns.TopicDisallowed": Row(
            text: "Use a key or certificate that covers apns-topic; for a broadcast, drop the topic's suffix."),
        "apns.BadCertificate": Row(
            text: "Connect with a client certificate that the authority in the --certs directory has signed.",
            observed: "2016"),
        "apns.BadCertificateEnvironment": Row(
            text: "Connect to the host of the certificate's environment, or use a certificate for this one.",
            observed: "2016"),
        "apns.ExpiredProviderToken": Row(
            text: "Sign a new provider token with the present time as iat, at least once an hour."),
        "apns.Forbidden": Row(
            text: "Send to a token that does not begin with dead040300, or remove the fault that answers 403."),
        "apns.InvalidProviderToken": Row(
            text: "Sign with ES256 and the key that kid names, and set iss to that key's team."),
        "apns.MissingProviderToken": Row(
            text: "Send 'authorization: bearer' and a provider token, or connect with a client certificate."),
        "apns.UnrelatedKeyIdInToken": Row(
            text: "Open a new connection for each key that is not related to the first one."),
        "apns.BadEnvironmentKeyInToken": Row(
            text: "Sign with a key for this environment, or send to the host of the key's environment.",
            observed: "2025-10"),
        "apns.BadPath": Row(text: "POST to /3/device/ and the token, and delete only channels that exist."),
        "apns.MethodNotAllowed": Row(text: "Send the push with POST."),
        "apns.ExpiredToken": Row(
            text: "Get a new device token from the app; here, avoid tokens that begin with dead041001."),
        "apns.Unregistered": Row(text: "Delete this device token from your database until the app registers again."),
        "apns.PayloadTooLarge": Row(text: "Cut the body to 4,096 octets, or 5,120 for voip and broadcasts."),
        "apns.TooManyProviderTokenUpdates": Row(
            text: "Keep each provider token for 20 minutes, or shorten --token-update-interval."),
        "apns.TooManyRequests": Row(
            text: "Send less often to one device; here, avoid tokens that begin with dead042900."),
        "apns.InternalServerError": Row(
            text: "Send to a token that does not begin with dead0500, or remove the fault that answers 500."),
        "apns.ServiceUnavailable": Row(
            text: "Retry later, and close device sockets or bring devices online so that there is room again."),
        "apns.Shutdown": Row(text: "Open a new connection and send again every push that was not answered."),
        "apns.BroadcastFeatureNotEnabled": Row(
            text: "Turn on Broadcast Capability for the app at Apple; here, remove the fault that says this."),
        "apns.MissingChannelId": Row(text: "Add apns-channel-id with the id that creating the channel returned."),
        "apns.BadChannelId": Row(
            text: "Send apns-channel-id exactly as creating the channel returned it, to the same environment.",
            observed: "2026-09"),
        "apns.ChannelNotRegistered": Row(
            text: "Create a new channel with POST /1/apps/BUNDLE/channels and use its id.", observed: "2026-09"),
        "apns.BadRequestParams": Row(
            text: "Leave only message-storage-policy and push-type in the new channel's body."),
        "apns.BadRequestPayload": Row(text: "Send the new channel's body as a JSON object."),
        "apns.MissingPushType": Row(
            text: "Say LiveActivity: in a new channel's push-type, in a broadcast's apns-push-type."),
        "apns.MissingChannelQueueSize": Row(text: "Set message-storage-policy to the number 0 or 1."),
        "apns.CannotCreateChannelConfig": Row(
            text: "Delete channels you no longer need before you create the next one."),
        "apns.TopicMismatch": Row(text: "Use a key or certificate for the app whose bundle id is in the path."),
        "apns.InvalidPayload": Row(text: "Correct what the answer's rule names, or serve with --validation service."),
        "payload.not-json": Row(text: "Send valid JSON as the body; 'pushpit check' shows where it breaks."),
        "payload.not-an-object": Row(text: "Wrap the payload in a JSON object with an 'aps' member."),
        "aps.wrong-type": Row(text: "Give the named key of 'aps' the JSON type that Apple documents for it."),
        "aps.mutable-content-not-1": Row(
            text: "Set 'mutable-content' to the number 1, without quotes, or leave it out."),
        "media.needs-mutable-content": Row(text: "Add \"mutable-content\": 1 to 'aps' whenever you send a media URL."),
        "media.not-an-absolute-url": Row(text: "Write the media URL in full, beginning with https:// and a host."),
        "media.no-file-extension": Row(text: "End the media URL's path in a file extension like .jpg or .mp4."),
        "media.unknown-file-extension": Row(
            text: "Use a media file of a type that attachments take, like jpg, png, gif, mp3 or mp4."),
        "live-activity.incomplete": Row(
            text: "Add 'event', 'timestamp' and whatever else of 'aps' the event needs, like 'content-state'."),
        "live-activity.broadcast-start": Row(
            text: "Broadcast only 'update' and 'end', and start each activity with a push to its device."),
        "aps.unknown-key": Row(text: "Move your own key out of 'aps', beside it, or correct its spelling."),
        "aps.mutable-content-without-alert": Row(text: "Add an 'alert' to 'aps', or leave 'mutable-content' out."),
        "background.with-alert": Row(text: "Remove alert, badge and sound, or set apns-push-type to alert."),
        "background.priority-10": Row(text: "Set apns-priority to 5 for a background push."),
        "media.http": Row(text: "Serve the media file over TLS and write its URL with https."),
        "payload.simulator-target-bundle": Row(
            text: "Remove 'Simulator Target Bundle' before you send the payload to a phone."),
        "payload.null-value": Row(text: "Leave the key out instead of sending null."),
        "auth.unknown-key": Row(
            text: "Name the key with --apns-key FILE:KEYID:TEAMID, so that its signature is checked."),
        "apns.needs-http2": Row(
            text: "Send the push over HTTP/2: add --http2, or --http2-prior-knowledge without TLS, to curl."),
        "apns.received": Row(text: "Follow the push's later events to see whether it reached the device."),
        "apns.delivered": Row(text: "Set online to false with a state message if the push should wait instead."),
        "apns.delivered-from-storage": Row(text: "Set online to true with a state message to release what waits."),
        "apns.stored-offline": Row(
            text: "Bring the device online with a state message, or send apns-expiration 0 to store nothing."),
        "apns.stored-power": Row(
            text: "Send with apns-priority 10, or set lowPower and locked to false with a state message."),
        "apns.discarded-unregistered": Row(
            text: "Stop sending to this token, or lower --unregister-delay and --unregister-pushes to get 410."),
        "apns.discarded-unregistered-from-storage": Row(
            text: "Stop sending to this token, for the app was uninstalled while the push waited."),
        "apns.discarded-expired": Row(
            text: "Set apns-expiration to a later time, or bring the device online before you send."),
        "apns.discarded-disabled": Row(text: "Set permission to authorized with a state message."),
        "apns.discarded-disabled-from-storage": Row(
            text: "Set permission to authorized with a state message before the device comes online."),
        "apns.overwritten": Row(text: "Bring the device online before you send it the next push."),
        "apns.collapsed": Row(text: "Bring the device online before you send the same apns-collapse-id again."),
        "devices.storage-full": Row(
            text: "Bring devices online so that waiting pushes leave, or set an earlier apns-expiration."),
        "devices.capacity": Row(
            text: "Simulate fewer devices, and keep a socket open for each that must not be forgotten."),
        "fault.goawayShutdown": Row(
            text: "Remove the fault with DELETE /api/v1/faults, then reconnect and resend what has no answer."),
        "fault.goawayIdle": Row(text: "Remove the fault with DELETE /api/v1/faults, then open a new connection."),
        "fault.goawayCert": Row(
            text: "Remove the fault with DELETE /api/v1/faults, then reconnect; the certificate is not at fault.",
            observed: "2016"),
        "fault.goawayPlainText": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and let the client take debug data that is no JSON.",
            observed: "2016"),
        "fault.resetConnection": Row(
            text: "Remove the fault with DELETE /api/v1/faults, then reconnect and resend what has no answer.",
            observed: "2026-04"),
        "fault.blackHole": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and drop a connection whose PING is not answered."),
        "fault.silentAfterExpired": Row(
            text: "Remove the fault with DELETE /api/v1/faults, or renew the provider token before it expires."),
        "fault.wedged500": Row(
            text: "Remove the fault with DELETE /api/v1/faults, or open a new connection.", observed: "2016"),
        "fault.stickyTokenUpdates": Row(text: "Open a new connection, or remove the fault with DELETE /api/v1/faults."),
        "fault.refusedStream": Row(
            text: "Send the push again on a new stream, or remove the fault with DELETE /api/v1/faults.",
            observed: "2017"),
        "fault.streamLimitDrop": Row(
            text: "Obey the new SETTINGS with one stream at a time, or remove the fault: DELETE /api/v1/faults.",
            observed: "2016"),
        "fault.503Shutdown": Row(text: "Remove the fault with DELETE /api/v1/faults, then reconnect and send again."),
        "fault.503ServiceUnavailable": Row(text: "Remove the fault with DELETE /api/v1/faults, then send again."),
        "fault.500InternalServerError": Row(text: "Remove the fault with DELETE /api/v1/faults, then send again."),
        "fault.429TooManyRequests": Row(
            text: "Remove the fault with DELETE /api/v1/faults, or narrow it with match.token."),
        "fault.slowResponse": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and give up waiting after a timeout of your own.",
            observed: "2020"),
        "fault.lostResponse": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and reuse the apns-id when you send again."),
        "fault.duplicateDelivery": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and set apns-collapse-id so a repeat shows once."),
        "fault.410Fuzzy": Row(text: "Remove the fault with DELETE /api/v1/faults, or lower its probability."),
        "fault.badJSONBody": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and let the client survive a broken body."),
        "fault.htmlBody": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and let the client go by the status."),
        "fault.emptyErrorBody": Row(
            text: "Remove the fault with DELETE /api/v1/faults, and let the client do without a reason."),
        "fault.tlsHandshakeFail": Row(text: "Remove the fault with DELETE /api/v1/faults, then connect again."),
        "fault.certRotation": Row(
            text: "Remove the fault with DELETE /api/v1/faults; never turn certificate checks off for it.",
            observed: "2025"),
        "fault.custom": Row(
            text: "Remove the fault: DELETE /api/v1/faults, or with its id behind that for this one alone."),
        "gateway.bad-call": Row(text: "Correct the member that 'pointer' names in the answer."),
        "gateway.bad-handshake": Row(
            text: "Offer pushpit.device.v1 or no subprotocol, and a Sec-WebSocket-Key of 16 octets in base64."),
        "gateway.no-token": Row(text: "Add 'authorization: Bearer' with the value of --api-token."),
        "gateway.stranger": Row(text: "Use a loopback host name, or allow the host with --allow-host NAME."),
        "gateway.no-such-path": Row(text: "Check the path and any id in it for spelling."),
        "gateway.wrong-method": Row(text: "Use a method that the answer's allow field names."),
        "gateway.conflict": Row(text: "Remove faults with DELETE /api/v1/faults before you set more."),
        "gateway.body-too-long": Row(text: "Shorten the body to what the path takes; a fault may have 65,536 octets."),
        "gateway.no-upgrade": Row(
            text: "Open /devices/socket as a WebSocket over HTTP/1.1, with Sec-WebSocket-Version 13."),
        "gateway.not-there-yet": Row(
            text: "Leave this request out: use HTTP/1.1 for sockets, and a usual method."),
        "http2.header-too-large": Row(
            text: "Send fewer or shorter fields: 8,000 octets in all, 32 counted on top for each field."),
        "http1.request-line": Row(
            text: "Write METHOD, target and HTTP/1.1 with one space between them, and %20 for other spaces."),
        "http1.request-line-too-long": Row(
            text: "Keep the request line under 8,192 octets, and move data into the body."),
        "http1.empty-lines": Row(text: "Begin each request with its request line."),
        "http1.method": Row(text: "Write the method as a plain word like GET or POST."),
        "http1.method-in-lower-case": Row(text: "Write the method in capitals."),
        "http1.connect": Row(text: "Send the request straight to this server, without a proxy setting for it."),
        "http1.target": Row(text: "Start the request target with '/', or with http:// and a host."),
        "http1.target-character": Row(
            text: "Percent-encode every character of the target that is not printable ASCII."),
        "http1.target-fragment": Row(text: "Cut the fragment off the target, or write '#' as %23."),
        "http1.target-asterisk": Row(text: "Name a path instead of '*', which is for OPTIONS alone."),
        "http1.target-authority": Row(text: "Write the target's host as host or host:port, without a user name."),
        "http1.version": Row(text: "End the request line with HTTP/1.1."),
        "http1.not-http": Row(text: "Speak HTTP on this port, and begin HTTP/2 with its whole preface."),
        "http1.version-unsupported": Row(text: "Send HTTP/1.1, or HTTP/2 by its own preface."),
        "http1.bare-line-feed": Row(text: "End every line with CR LF."),
        "http1.bare-carriage-return": Row(text: "Put LF behind every CR, and keep CR out of values."),
        "http1.control-character": Row(
            text: "Take control characters out of the line, or use TLS only on a port that expects it."),
        "http1.field-without-colon": Row(text: "Write each header line as 'name: value'."),
        "http1.field-name-empty": Row(text: "Put a name before the header line's colon."),
        "http1.field-name": Row(
            text: "Use only letters, digits and the marks of an HTTP token, like '-', in field names."),
        "http1.space-before-colon": Row(text: "Remove the white space between the field name and its colon."),
        "http1.folded-field": Row(text: "Put each field's value on one line."),
        "http1.header-too-large": Row(text: "Shrink the header to 32 KiB: drop cookies and fields that nobody reads."),
        "http1.too-many-fields": Row(text: "Send at most 100 header fields."),
        "http1.host-missing": Row(text: "Add a Host field, like 'Host: localhost:2197'."),
        "http1.host-twice": Row(text: "Send exactly one Host field."),
        "http1.host": Row(text: "Write Host as a name or address with an optional port, and nothing else."),
        "http1.expectation": Row(text: "Remove the Expect field, or set it to 100-continue."),
        "http1.content-length": Row(text: "Give Content-Length in decimal digits only."),
        "http1.content-length-twice": Row(text: "Send one Content-Length with one value."),
        "http1.content-length-too-large": Row(
            text: "Set Content-Length to the number of octets that the body really has."),
        "http1.transfer-encoding": Row(text: "Set Transfer-Encoding to 'chunked' and nothing else."),
        "http1.transfer-encoding-twice": Row(text: "Send one Transfer-Encoding field."),
        "http1.transfer-encoding-with-length": Row(text: "Drop either Content-Length or Transfer-Encoding."),
        "http1.transfer-encoding-in-http-1.0": Row(
            text: "Send Content-Length instead, or change the version to HTTP/1.1."),
        "http1.transfer-coding-unknown": Row(
            text: "Keep chunked as the only transfer coding, and name compression in Content-Encoding."),
        "http1.chunk-size": Row(text: "Begin each chunk with its size in bare hexadecimal digits."),
        "http1.chunk-size-too-large": Row(
            text: "Split the body into smaller chunks, and write sizes without needless zeros."),
        "http1.chunk-extension": Row(text: "End the line right after the chunk's size."),
        "http1.chunk-line-too-long": Row(text: "Leave chunk extensions out, or keep them under 4 KiB in all."),
        "http1.chunk-end": Row(text: "Make each chunk's size equal its data, and put CR LF behind it."),
        "http1.trailers-too-large": Row(text: "Leave trailer fields out, or keep them under 8 KiB in all."),
        "http1.too-many-trailers": Row(text: "Leave trailer fields out, or send at most 32."),
        "http1.timeout": Row(text: "Send the whole request without pauses, with as much body as Content-Length says."),
        "http1.body-too-large": Row(text: "Send a body no longer than the path takes."),
        "payload.mutable-content-beside-aps": Row(text: "Move 'mutable-content' into 'aps'."),
        "aps.sound-shape": Row(text: "Give 'sound' a 'name', 'critical' 0 or 1 and a 'volume' from 0 to 1."),
        "aps.interruption-level": Row(text: "Take passive, active, time-sensitive or critical."),
        "aps.relevance-score": Row(text: "Give 'relevance-score' a number from 0 to 1."),
        "media.host-looks-like-a-file": Row(text: "Put the file's name behind the host, as https://host/name.png."),
        "adobe.tracking-switch": Row(text: "Write '_acsDeliveryTracking' as on or off, in small letters."),
        "adobe.tracking-id": Row(text: "Send '_mId' as h and hex digits, and '_dId' as hex digits."),
        "fcm.credentials-missing": Row(text: "Send 'authorization: Bearer' with an access token."),
        "fcm.credentials-invalid": Row(text: "Send the access token as it was issued."),
        "fcm.credentials-type": Row(text: "Send an access token, not an ID token or a service account's own JWT."),
        "fcm.no-permission": Row(text: "Send to the project of the service account, or take --auth lenient."),
        "fcm.already-subscribed": Row(text: "Take 409 for done."),
        "fcm.no-subscription": Row(text: "Subscribe first, or add allowMissing=true."),
        "fcm.too-many-topics": Row(text: "Unsubscribe from topics that are over."),
        "fcm.topic-quota": Row(text: "Unsubscribe devices, or restart the gateway."),
        "fcm.page": Row(text: "Send a pageSize from 1 to 2,000."),
        "fcm.legacy-gone": Row(text: "Send to /v1/projects/PROJECT/messages:send what the finding beside it shows."),
        "fcm.no-subscribers": Row(text: "Subscribe a device, or mend the topic's name."),
        "fcm.legacy-shape": Row(text: "Send what the finding shows; pushpit check shows it too."),
        "fcm.legacy-change": Row(text: "Write the member as the finding says."),
        "fcm.image-extension": Row(text: "Take an image URL whose path ends in .jpg, .jpeg, .png or .gif."),
        "fcm.image-without-mutable-content": Row(text: "Set apns.payload.aps['mutable-content'] to 1, or leave the image to android.notification."),
        "fcm.android-kind": Row(text: "Set one of remote_notification and background_sync."),
        "fcm.image-https": Row(text: "Take an https URL for the image."),
        "fcm.vibrate-timings": Row(text: "Take durations of 0s and more."),
        "fcm.media-in-data": Row(text: "Put the URL into apns.fcm_options.image with 'mutable-content' 1, unless the app reads it from data itself."),
        "fcm.mutable-content-misplaced": Row(text: "Put 'mutable-content' 1 into apns.payload.aps."),
        "fcm.webpush-image": Row(text: "Put the image into webpush.notification.image."),
        "fcm.collapse-key-ignored": Row(text: "Use android.notification.tag to replace what is shown."),
        "fcm.high-priority-data": Row(text: "Leave android.priority out, unless a person sees something of it."),
        "fcm.silent-for-apple": Row(text: "Set aps.content-available to 1 and apns.headers['apns-priority'] to '5'.", observed: "2021-04"),
        "iid.unauthorized": Row(text: "Send 'authorization: Bearer' and 'access_token_auth: true'.", observed: "2023-01"),
        "iid.bad-call": Row(text: "Send 'to' as /topics/NAME and 1 to 1,000 'registration_tokens'."),
        "iid.bad-token": Row(text: "Send the token as the app got it."),
        "iid.unknown-token": Row(text: "Send the token of a device that is there; this API makes none."),
        "fcm.not-json": Row(text: "Mend the JSON at the mark."),
        "fcm.conversion": Row(text: "Mend each field that the answer names."),
        "fcm.no-target": Row(text: "Set one of token, fid, topic and condition in 'message'."),
        "fcm.topic-name": Row(text: "Take letters, digits and -_.~% for a topic, without /topics/."),
        "fcm.token-malformed": Row(text: "Send the token as the app got it."),
        "fcm.condition": Row(text: "Write it like 'a' in topics && 'b' in topics, with five topics at most."),
        "fcm.too-large": Row(text: "Shorten data and notification."),
        "fcm.webpush-ttl": Row(text: "Send TTL as whole seconds, 0 or more."),
        "fcm.aps-missing": Row(text: "Put an 'aps' object into apns.payload."),
        "fcm.aps-empty": Row(text: "Put an alert, a badge, a sound or content-available into 'aps'."),
        "fcm.aps-type": Row(text: "Give the key that the answer names a value of its type."),
        "fcm.android-twice": Row(text: "Leave one of android and android_v2 out."),
        "fcm.reserved-key": Row(text: "Give the data key another name."),
        "fcm.ttl": Row(text: "Take a ttl from 0s to 2419200s."),
        "fcm.color": Row(text: "Write the colour as #rrggbb."),
        "fcm.light-settings": Row(text: "Set color, light_on_duration and light_off_duration."),
        "fcm.analytics-label": Row(text: "Take up to 50 letters, digits and -_.~% for a label."),
        "fcm.UNREGISTERED": Row(text: "Forget the token, and register the app anew."),
        "fcm.SENDER_ID_MISMATCH": Row(text: "Send with the project that the token was made for."),
        "fcm.QUOTA_EXCEEDED": Row(text: "Wait a minute, then send less at once."),
        "fcm.UNAVAILABLE": Row(text: "Send again later, with growing pauses."),
        "fcm.INTERNAL": Row(text: "Send again later, with growing pauses."),
        "fcm.THIRD_PARTY_AUTH_ERROR": Row(text: "Check the APNs key in the Firebase project, or the web push credentials."),
        "fcm.INVALID_ARGUMENT": Row(text: "Check the field that the answer names."),
        "auth.unknown-bearer": Row(text: "Nothing has to change: only here nobody is asked who issued the bearer."),
        "fcm.delivered": Row(text: "Nothing has to change."),
        "fcm.delivered-late": Row(text: "Nothing has to change: it came when the device was back."),
        "fcm.delivered-after-doze": Row(text: "Send with high priority what must wake the phone."),
        "fcm.delivered-after-throttle": Row(text: "Send less often what replaces itself, or without a collapse key."),
        "fcm.delivered-after-stop": Row(text: "Nothing can be done by the sender: the person has to open the app."),
        "fcm.force-stopped": Row(text: "Nothing can be done by the sender; android.ttl decides how long it is tried."),
        "fcm.device-inactive": Row(text: "Forget tokens that have not been renewed for a month."),
        "fcm.restricted-package": Row(text: "Set restricted_package_name to the app's package, or leave it out."),
        "fcm.form-body": Row(text: "Send 'content-type: application/json'; curl's -d alone says that the body is a form."),
        "fcm.pending": Row(text: "Bring the device online with a state message, or end its doze."),
        "fcm.collapsed": Row(text: "Take several collapse keys, four at most, for what must not replace each other."),
        "fcm.too-many-pending": Row(text: "Sync from the server when onDeletedMessages comes, and give what may be replaced a collapse key."),
        "fcm.ttl-expired": Row(text: "Give android.ttl more time."),
        "fcm.credentials-expired": Row(text: "Get another access token from /token."),
        "fcm.scope": Row(text: "Ask for the scope https://www.googleapis.com/auth/firebase.messaging."),
        "oauth.refused": Row(text: "Sign with the key of service-account.json, for an hour at most, with a scope."),
    ]
}
