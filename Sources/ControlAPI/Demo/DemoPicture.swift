/// A picture of the demo in 16 colors. The color of a pixel is computed from its coordinates.
enum DemoPicture: String, CaseIterable {
    case lamp, harbor, map, tea

    var url: String { "https://cdn.example.com/demo/\(rawValue).png" }

    static let width = 320
    static let height = 180

    /// A PNG with 4 bits for each pixel.
    var png: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<Self.height {
            // No filter.
            rows.append(0)
            for x in stride(from: 0, to: Self.width, by: 2) {
                rows.append(UInt8(truncatingIfNeeded: color(x, y) << 4 | color(x &+ 1, y) & 15))
            }
        }
        return PNG.file(width: Self.width, height: Self.height, palette: palette, rows: rows)
    }

    /// Twelve steps from one color to another, then four others.
    private var palette: [UInt8] {
        let (from, to, others) = colors
        let steps = (0..<12).map { step in zip(from, to).map { (from, to) in from &+ (to &- from) &* step / 11 } }
        return (steps + others).flatMap { $0.map { UInt8(truncatingIfNeeded: $0) } }
    }

    private var colors: (from: [Int], to: [Int], others: [[Int]]) {
        switch self {
        case .lamp:
            ([250, 240, 225], [214, 178, 140], [[58, 44, 38], [255, 214, 120], [156, 92, 60], [90, 68, 58]])
        case .harbor:
            ([255, 190, 140], [70, 110, 160], [[30, 42, 66], [244, 238, 226], [200, 70, 60], [18, 26, 44]])
        case .map:
            ([226, 236, 222], [206, 222, 206], [[255, 255, 255], [42, 110, 235], [150, 196, 230], [230, 90, 60]])
        case .tea:
            ([232, 240, 232], [150, 190, 160], [[40, 72, 58], [250, 250, 246], [120, 160, 90], [190, 140, 90]])
        }
    }

    /// The index of a pixel's color in the palette.
    private func color(_ x: Int, _ y: Int) -> Int {
        let ground = min(11, y &* 12 / Self.height)
        switch self {
        case .lamp:
            if Self.isNear(x, y, 160, 74, 26) { return 13 }
            if y > 28, y < 92, abs(x &- 160) < 18 &+ (y &- 28) * 5 / 8 { return 14 }
            if abs(x &- 160) < 4, y > 91, y < 150 { return 12 }
            return y > 149 && y < 157 && abs(x &- 160) < 44 ? 12 : y > 160 ? 15 : ground
        case .harbor:
            if Self.isNear(x, y, 236, 62, 22) { return 13 }
            if y > 120 { return (x &* 3 &+ y &* 7) % 46 < 9 && y % 6 < 2 ? 13 : 15 }
            if y > 104, abs(x &- 110) < 60 &- (y &- 104) { return 14 }
            if abs(x &- 110) < 2, y > 44, y < 105 { return 12 }
            if x > 112, y > 50, y < 100, x &- 112 < (y &- 50) { return 13 }
            let roof = [96, 84, 101, 78, 92, 88, 99, 81][x / 40 % 8]
            return y > roof ? 12 : ground
        case .map:
            if Self.isNear(x, y, 60, 132, 9) || Self.isNear(x, y, 252, 40, 9) { return 15 }
            if abs(y &- 132) < 4, x > 60, x < 160 { return 13 }
            if abs(x &- 160) < 4, y > 36, y < 136 { return 13 }
            if abs(y &- 40) < 4, x > 156, x < 252 { return 13 }
            if abs(x &* 2 &- y &- 420) < 40 { return 14 }
            return x % 50 < 6 || y % 46 < 6 ? 12 : (x / 50 &+ y / 46) % 3 &* 5
        case .tea:
            if Self.isNear(x, y, 160, 96, 12) { return 14 }
            if Self.isNear(x, y, 160, 96, 44) { return 15 }
            if Self.isNear(x, y, 160, 96, 52) { return 13 }
            return Self.isNear(x, y, 168, 104, 58) ? 12 : ground
        }
    }

    private static func isNear(_ x: Int, _ y: Int, _ centerX: Int, _ centerY: Int, _ radius: Int) -> Bool {
        (x &- centerX) &* (x &- centerX) &+ (y &- centerY) &* (y &- centerY) < radius &* radius
    }
}
