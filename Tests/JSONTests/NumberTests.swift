import JSON
import Testing

struct NumberTests {
    @Test(
        arguments: [
            ("0", 0, 0), ("-0", 0, 0), ("123", 123, 123), ("9223372036854775807", .max, .max),
            ("-9223372036854775808", .min, .min), ("9223372036854775808", nil, nil),
            ("-9223372036854775809", nil, nil), ("1.0", nil, 1), ("1e0", nil, 1), ("10e-1", nil, 1),
            ("0.1e1", nil, 1), ("1.5", nil, nil), ("1E22", nil, nil),
            ("1e18", nil, 1_000_000_000_000_000_000),
            ("1e19", nil, nil), ("9223372036854775807.0", nil, .max), ("-92233720368547758080e-1", nil, .min),
            ("9007199254740993.0", nil, 9_007_199_254_740_993), ("0e99999999999999999999", nil, 0),
            ("0.000", nil, 0), ("-0.0", nil, 0), ("1e-99999999999999999999", nil, nil),
            ("1e99999999999999999999", nil, nil), ("120.50e1", nil, 1205), ("1.25E+2", nil, 125),
            ("100000000000000000000000000000", nil, nil), ("1000000000000000000000e-21", nil, 1),
            ("0.00000000000000000000000001e26", nil, 1),
        ] as [(String, Int64?, Int64?)])
    func `an integer is exact or nil`(_ text: String, _ int: Int64?, _ exact: Int64?) throws {
        let view = try parse("[ \(text) ]")[0]
        #expect(view?.int64 == int)
        #expect(view?.exactInteger == exact)
        #expect(view?.numberText.map { String(decoding: $0, as: UTF8.self) } == text)
    }

    @Test(
        arguments: [
            ("18446744073709551615", .max), ("18446744073709551616", nil), ("-1", nil), ("-0", 0), ("0", 0),
            ("1.0", nil),
        ] as [(String, UInt64?)])
    func `an unsigned integer is exact or nil`(_ text: String, _ value: UInt64?) throws {
        #expect(try parse(text).uint64 == value)
    }

    @Test(
        arguments: [
            ("123.456789", 123.456789), ("1E-2", 0.01), ("1e+2", 100), ("123e65", 123e65), ("0e1", 0),
            ("-1.5", -1.5), ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e309", nil),
            ("-1e9999", nil),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("123123e100000", nil), ("0.1", 0.1),
            ("-123123123123123123123123123123", -123_123_123_123_123_123_123_123_123_123.0),
        ] as [(String, Double?)])
    func `a double is the nearest one, or nil if the number is too large`(_ text: String, _ value: Double?) throws {
        #expect(try parse(text).double == value)
    }

    @Test func `a number of a hundred thousand digits is read`() throws {
        let digits = String(repeating: "9", count: 100_000)
        #expect(try parse(digits).int64 == nil)
        #expect(try parse("0." + digits).double == 1)
        #expect(try parse(digits + ".5").exactInteger == nil)
        #expect(JSONValue(try parse(digits)) == .double(.greatestFiniteMagnitude))
    }
}
