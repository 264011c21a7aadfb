/// Counters, and the page that shows them in the Prometheus text format.
package struct Metrics {
    package var accepted = 0
    package var refused = 0
    /// Messages that calls have deleted.
    package var deleted = 0
    package var connections = 0
    /// Messages that were refused because they are not valid HTTP.
    package var malformed = 0
    /// Requests that were refused because of the web page that sent them, or because of a foreign host name.
    package var forbiddenPages = 0
    /// How many events for the webhook were delivered and how many were given up; below, the same for the collector's reports.
    package var eventsPosted = 0
    package var eventsDropped = 0
    package var reportsSent = 0
    package var reportsDropped = 0

    package init() {}

    /// - Parameter turns: the longest turn of the event loop in nanoseconds, and how many were long.
    package func page(
        openConnections: Int, devices: Int, newestEvent: UInt64, turns: (longest: UInt64, long: Int)
    ) -> String {
        let rows: [(name: String, kind: String, help: String, value: Int)] = [
            ("pushpit_pushes_accepted_total", "counter", "Pushes answered with success.", accepted),
            ("pushpit_pushes_refused_total", "counter", "Pushes answered with an error.", refused),
            ("pushpit_connections_total", "counter", "Connections accepted.", connections),
            (
                "pushpit_malformed_messages_total", "counter", "Messages refused because they are not valid HTTP.",
                malformed
            ),
            (
                "pushpit_strangers_refused_total", "counter",
                "Requests refused because of their host name or the web page that sent them.", forbiddenPages
            ),
            ("pushpit_webhook_events_total", "counter", "Events delivered to the webhook.", eventsPosted),
            (
                "pushpit_webhook_events_dropped_total", "counter", "Events that the webhook did not get.",
                eventsDropped
            ),
            ("pushpit_postbacks_total", "counter", "Tracking reports delivered to the collector.", reportsSent),
            (
                "pushpit_postbacks_dropped_total", "counter", "Tracking reports that the collector did not get.",
                reportsDropped
            ),
            ("pushpit_connections_open", "gauge", "Connections open now.", openConnections),
            ("pushpit_devices", "gauge", "Simulated devices.", devices),
            ("pushpit_events_total", "counter", "Events in the log since the start.", Int(newestEvent)),
            (
                "pushpit_longest_turn_microseconds", "gauge", "Longest turn of the event loop since the start.",
                Int(turns.longest / 1000)
            ),
            ("pushpit_long_turns_total", "counter", "Turns of the event loop that took over 10 ms.", turns.long),
        ]
        return rows.map { "# HELP \($0.name) \($0.help)\n# TYPE \($0.name) \($0.kind)\n\($0.name) \($0.value)\n" }
            .joined()
    }
}
