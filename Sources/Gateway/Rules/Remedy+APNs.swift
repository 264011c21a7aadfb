/// What to do about what Apple's side says, and about payloads.
extension Remedy {
    static let apns: [String: Row] = [
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
        "payload.mutable-content-beside-aps": Row(text: "Move 'mutable-content' into 'aps'."),
        "aps.sound-shape": Row(text: "Give 'sound' a 'name', 'critical' 0 or 1 and a 'volume' from 0 to 1."),
        "aps.interruption-level": Row(text: "Take passive, active, time-sensitive or critical."),
        "aps.relevance-score": Row(text: "Give 'relevance-score' a number from 0 to 1."),
        "media.host-looks-like-a-file": Row(text: "Put the file's name behind the host, as https://host/name.png."),
        "adobe.tracking-switch": Row(text: "Write '_acsDeliveryTracking' as on or off, in small letters."),
        "adobe.tracking-id": Row(text: "Send '_mId' as h and hex digits, and '_dId' as hex digits."),
    ]
}
