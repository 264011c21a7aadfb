extension Option {
    /// The options about requests that a gateway sends by itself.
    static let outgoingOptions: [Option] = [
        Option(
            name: "fetch-media", value: "from",
            help: """
                Where simulated phones may fetch images and other files that are not in the media table: nowhere (off), only \
                this machine (loopback), or any address (on). By default loopback, or off if a listener \
                is not on loopback.
                """,
            values: ["off", "loopback", "on"], commands: .gateways),
        Option(
            name: "postback", value: "url",
            help: """
                Also send the tracking reports of simulated apps to this collector, as Adobe's SDK does: with \
                http://localhost:8080, to http://localhost:8080/r/?id=….
                """,
            commands: .gateways),
        Option(
            name: "webhook", value: "url",
            help: """
                Post all events to this URL, as JSON: {"events":[…]}, with one or more events as in GET /api/v1/events. \
                They come in order, and one request at a time; if it fails, it is repeated for 15 s.
                """,
            commands: .gateways),
    ]
}
