/// The errors of messages that exceed a quota (docs/evidence/fcm.md §3.2).
extension GoogleError {
    /// The code is documented. The text is the usual one for this status (assumed).
    static let deviceQuota = fcm(429, exhausted, "QUOTA_EXCEEDED")
    /// The text is quoted.
    static let topicMessageQuota = fcm(429, "Topic quota exceeded.", "QUOTA_EXCEEDED")
    /// Captured, except for the value of the limit: that was masked in the capture, so the documented value is used.
    static func projectQuota(_ project: String) -> GoogleError {
        GoogleError(
            429,
            "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service 'fcm.googleapis.com' "
                + "for consumer 'project_number:\(project)'.",
            [
                .errorInfo(
                    reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com",
                    metadata: [
                        ("quota_limit_value", "600000"), ("consumer", "projects/\(project)"),
                        ("quota_metric", "fcm.googleapis.com/send_requests"), ("quota_unit", "1/min/{project}"),
                        ("service", "fcm.googleapis.com"), ("quota_location", "global"),
                        ("quota_limit", "SendsPerMinutePerProject"),
                    ]),
                .help(
                    description: "Request a higher quota limit.",
                    url: "https://cloud.google.com/docs/quotas/help/request_increase"),
            ], rule: "fcm.project-quota")
    }
}
