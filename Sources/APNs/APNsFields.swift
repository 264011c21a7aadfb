internal import HTTPCore

/// Where the fields that matter lie in a request's block, nil where a field is absent.
struct APNsFields {
    let path: Range<Int>?
    let authorization: Range<Int>?
    let topic: Range<Int>?

    init(_ headers: HeaderBlock) {
        path = headers.range(of: .path)
        authorization = headers.range(of: .authorization)
        topic = headers.range(of: .apnsTopic)
    }
}
