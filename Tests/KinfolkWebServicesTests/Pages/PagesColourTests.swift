import Testing

@testable import KinfolkWebServices

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The contrast of the colours (WCAG 2.2, 1.4.3 and 1.4.11).
@Suite("Pages: colours") struct PagesColourTests {
    /// The colours of the light and the dark form, by name.
    private var palettes: [[String: Double]] {
        let blocks = "\(Stylesheet.text)".split(separator: "color-scheme")
        return blocks.map { block in
            var colours: [String: Double] = [:]
            for item in block.split(separator: "--").dropFirst() {
                let parts = item.prefix { $0 != ";" }.split(separator: ":")
                guard parts.count == 2, let hash = parts[1].firstIndex(of: "#") else { continue }
                let digits = String(parts[1][hash...].dropFirst().prefix(6))
                guard let number = Int(digits, radix: 16), digits.count == 6 else { continue }
                colours[String(parts[0])] = luminance(number)
            }
            return colours
        }
        .filter { !$0.isEmpty }
    }

    private func luminance(_ colour: Int) -> Double {
        func linear(_ shift: Int) -> Double {
            let part = Double(colour >> shift & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }

    @Test func textsCanBeReadInLightAndDark() throws {
        #expect(palettes.count == 2)
        for palette in palettes {
            func contrast(_ one: String, _ other: String) throws -> Double {
                let both = [try #require(palette[one]), try #require(palette[other])].sorted()
                return (both[1] + 0.05) / (both[0] + 0.05)
            }
            let onSurface = ["text", "muted", "accent", "danger", "good"].map { ($0, "surface") }
            for (text, ground) in onSurface + [
                ("text", "page"), ("accent", "page"), ("on-accent", "accent"), ("on-danger", "danger"),
            ] {
                #expect(try contrast(text, ground) >= 4.5, "\(text) on \(ground)")
            }
            // Borders of fields and buttons.
            #expect(try contrast("line", "surface") >= 3)
        }
    }

    @Test func colourIsNotFixedOutsideThePalettes() {
        let text = "\(Stylesheet.text)"
        #expect(text.split(separator: "#").count - 1 == palettes.reduce(0) { $0 + $1.count })
    }
}
