/// What to do about Pushpit's own refusals, faults and limits.
extension Remedy {
    static let gateway: [String: Row] = [
        "devices.storage-full": Row(
            text: "Bring devices online so that waiting pushes leave, or set an earlier apns-expiration."),
        "devices.capacity": Row(
            text: "Simulate fewer devices, and keep a socket open for each that must not be forgotten."),
        "devices.reset": Row(text: "Send the push again; reset one app alone with POST /api/v1/reset and its name."),
        "devices.deleted": Row(text: "Make the device again with POST /api/v1/devices, and send to its new token."),
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
        "gateway.disk": Row(
            text: "Make room on the disk of --data, or mend its rights; the gateway goes on by itself."),
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
    ]
}
