internal import CCurl
internal import EventLoop

/// Requests and results as libcurl's functions take and give them.
extension TransferPool.Transfer {
    /// Passes the transfer to libcurl. Returns false if there is no memory, or libcurl does not accept the URL.
    func start(as number: UInt64, in pool: OpaquePointer) -> Bool {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        // libcurl copies these strings and the body before `ccurl_start` returns.
        let (connectTo, field) = ("::\(host):\(address.port)", "Content-Type: application/json")
        return unsafe withTexts(request.url, connectTo, authorityFile, field) { url, connectTo, authorityFile, field in
            unsafe (request.body ?? []).withUnsafeBufferPointer { body in
                var raw = unsafe ccurl_request()
                unsafe raw.url = url
                unsafe raw.connect_to = connectTo
                unsafe raw.authority_file = authorityFile
                if request.body != nil {
                    unsafe raw.body = UnsafeRawPointer(body.baseAddress)?.assumingMemoryBound(to: CChar.self)
                }
                unsafe raw.body_length = body.count
                if request.declaresJSON { unsafe raw.field = field }
                unsafe raw.longest_answer = Int64(request.longestAnswer)
                unsafe raw.timeout_milliseconds = Int(clamping: max(1, request.patience))
                unsafe raw.sends_user = request.sendsUser
                unsafe raw.keeps_body = request.keepsBody
                return unsafe ccurl_start(pool, number, &raw)
            }
        }
    }

    private func withTexts(
        _ first: String, _ second: String, _ third: String, _ fourth: String,
        _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Bool
    ) -> Bool {
        unsafe first.withCString { first in
            unsafe second.withCString { second in
                unsafe third.withCString { third in
                    unsafe fourth.withCString { fourth in unsafe body(first, second, third, fourth) }
                }
            }
        }
    }
}

extension ccurl_result {
    func outcome(_ refusal: AddressPolicy.Refusal?, _ body: [UInt8]) -> TransferPool.Outcome {
        if let refusal { return .failure(.refused(refusal)) }
        if is_late { return .failure(.late) }
        if is_unreachable { return .failure(.unreachable) }
        let problem = Self.text(self.problem)
        let status = self.status
        guard problem.isEmpty, status > 0 else { return .failure(.broken(problem)) }
        let redirect = Self.text(self.redirect)
        let head = unsafe withUnsafeBytes(of: self.head) { unsafe Array($0.prefix(head_length)) }
        var answer = HTTPAnswer(
            status: status, contentType: Self.text(content_type), size: Int(length), announcesSize: is_announced,
            head: head)
        answer.body = body
        answer.redirect = redirect.isEmpty ? nil : redirect
        return .success(answer)
    }

    /// The text of a C array of characters.
    private static func text<Characters>(_ characters: Characters) -> String {
        unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
