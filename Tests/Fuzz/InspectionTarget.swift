import Inspection
import JSON
import PushCore

/// `pushpit doctor` and `POST /inspect` get a report for any bytes, and it can be written as JSON.
func fuzzInspection(_ bytes: [UInt8]) {
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    let inspected = Inspector.inspect(InspectionInput(bytes, name: "AuthKey_ABCDE12345.p8"), at: now)
    let report = Comparison.compare([inspected, inspected]).first?.report
    demand(report?.title.isEmpty == false, "a report without a kind")
    var json = JSONWriter()
    report?.write(to: &json)
    demand((try? JSONDocument(parsing: json.finish())) != nil, "a report that is not JSON")
}
