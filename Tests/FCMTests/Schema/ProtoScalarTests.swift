import JSON
import PushCore
import Testing

@testable import FCM

/// The JSON forms of scalars that Google's converter accepts.
@Suite struct ProtoScalarTests {
    private func value(_ text: String) throws -> JSONView { try FCMCase.document(text).root }

    @Test(
        arguments: [
            ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), (#""True""#, nil), ("1", nil),
            ("null", nil), (#""""#, nil),
        ] as [(String, Bool?)]) func `a bool is a literal or its name`(text: String, expected: Bool?) throws
    {
        #expect(try ProtoScalar.bool(value(text)) == expected)
    }

    @Test(
        arguments: [
            ("0", 0), ("-5", -5), ("2147483647", .max), ("-2147483648", .min), ("2147483648", nil), ("1.0", 1),
            ("1e2", 100), ("1.5", nil), (#""7""#, 7), (#""+7""#, 7), (#""7.0""#, nil), (#"" 7""#, nil), ("true", nil),
        ] as [(String, Int32?)]) func `an int32 is a whole number or its digits`(text: String, expected: Int32?) throws
    {
        #expect(try ProtoScalar.int32(value(text)) == expected)
    }

    @Test(
        arguments: [
            ("0.5", 0.5), ("1e3", 1000), (#""0.5""#, 0.5), (#""-1e3""#, -1000), (#""Infinity""#, .infinity),
            (#""-Infinity""#, -.infinity), (#""inf""#, nil), (#""0x1""#, nil), (#""1_0""#, nil), (#""""#, nil),
            ("[]", nil),
            ("true", nil),
        ] as [(String, Double?)]) func `a float is a number, its digits or a name`(text: String, expected: Double?)
        throws
    {
        #expect(try ProtoScalar.float(value(text)) == expected)
    }

    @Test func `NaN is a float`() throws { #expect(try ProtoScalar.float(value(#""NaN""#))?.isNaN == true) }

    @Test(
        arguments: [
            (#""HIGH""#, 1), (#""high""#, 1), (#""Normal""#, 0), ("1", 1), (#""1""#, 1), ("7", 7), (#""LOW""#, nil),
            ("1.5", nil), ("true", nil), (#""HIG""#, nil), (#""HIGHX""#, nil),
        ] as [(String, Int?)]) func `an enumeration value is a name or a number`(text: String, expected: Int?) throws
    {
        #expect(try ProtoScalar.enumeration(value(text), .priority) == expected)
    }

    @Test(
        arguments: [
            (#""IF_PRIORITY_LOWERED""#, 3), (#""if-priority-lowered""#, 3), (#""If-Priority_Lowered""#, 3),
            (#""deny""#, 2),
            (#""if priority lowered""#, nil),
        ] as [(String, Int?)]) func `a name may have hyphens and any case`(text: String, expected: Int?) throws
    {
        #expect(try ProtoScalar.enumeration(value(text), .proxy) == expected)
    }

    @Test func `every enumeration value is found by its own name`() {
        for type in ProtoEnum.allCases {
            for (number, name) in type.values.enumerated() { #expect(type.number(of: Array(name.utf8)[...]) == number) }
        }
    }

    @Test(
        arguments: [
            ("0s", 0, 0), ("1s", 1, 0), ("3.5s", 3, 500_000_000), ("0.000000001s", 0, 1),
            ("1.123456789s", 1, 123_456_789),
            ("-1s", -1, 0), ("-0.5s", 0, -500_000_000), ("-2.25s", -2, -250_000_000),
            ("315576000000s", 315_576_000_000, 0),
            ("007s", 7, 0),
        ] as [(String, Int64, Int64)]) func `a duration has seconds and nanoseconds`(
            text: String, seconds: Int64, nanoseconds: Int64
        ) throws
    {
        let duration = try ProtoScalar.duration(value("\"\(text)\"")).get()
        #expect(duration.seconds == seconds)
        #expect(duration.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        (#""5""#, "Illegal duration format; duration must end with 's'"),
        (#""""#, "Illegal duration format; duration must end with 's'"),
        (#""5m""#, "Illegal duration format; duration must end with 's'"),
        (#""s""#, "Invalid duration format, failed to parse seconds"),
        (#""+5s""#, "Invalid duration format, failed to parse seconds"),
        (#""--5s""#, "Invalid duration format, failed to parse seconds"),
        (#"".5s""#, "Invalid duration format, failed to parse seconds"),
        (#""1234567890123456789s""#, "Invalid duration format, failed to parse seconds"),
        (#""1.s""#, "Invalid duration format, failed to parse nano seconds"),
        (#""1.1234567890s""#, "Invalid duration format, failed to parse nano seconds"),
        (#""1.-5s""#, "Invalid duration format, failed to parse nano seconds"),
        (#""315576000001s""#, "Duration value exceeds limits"), ("5", "Invalid data type for duration, value is 5"),
        ("true", "Invalid data type for duration, value is true"),
    ]) func `an invalid duration has Google's text`(text: String, expected: String) throws {
        guard case .failure(let fault) = try ProtoScalar.duration(value(text)) else {
            Issue.record("\(text) is a duration")
            return
        }
        #expect(fault.text == expected)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-22T10:00:00Z", 1_795_341_600_000),
            ("2026-11-22T10:00:00.5Z", 1_795_341_600_500), ("2026-11-22T11:00:00+01:00", 1_795_341_600_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("0000-01-01T00:00:00Z", nil), ("2026-11-22", nil),
            ("noon", nil),
            ("2026-13-01T00:00:00Z", nil),
        ] as [(String, Int64?)]) func `a timestamp is in RFC 3339 format`(text: String, milliseconds: Int64?) throws
    {
        #expect(try ProtoScalar.timestamp(value("\"\(text)\""))?.milliseconds == milliseconds)
    }
}
