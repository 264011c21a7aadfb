internal import HTTPCore

/// Parts of Google's API that are not spoken yet.
enum PlannedPages {
    /// Nil for what Google does not serve either.
    static func answer(_ request: Request) -> Response? {
        let path = String(decoding: request.path, as: UTF8.self)
        guard path.hasPrefix("/iid/") || path.contains("/topicSubscriptions") else { return nil }
        return Response(
            status: 501, contentType: "application/json; charset=UTF-8",
            text: """
                {
                  "error": {
                    "code": 501,
                    "message": "Pushpit does not speak this part of Google's API yet.",
                    "status": "UNIMPLEMENTED"
                  }
                }

                """)
    }
}
