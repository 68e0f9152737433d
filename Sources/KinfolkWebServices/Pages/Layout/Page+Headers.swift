import KinfolkCrypto

extension Page {
    /// The headers of the answer.
    ///
    /// - `form-action 'self'` also applies to the redirects after a form was posted. So a flow must not answer a form with a redirect
    ///   to an application: it shows a ``DonePage``, which leads there.
    /// - Because of `Referrer-Policy: no-referrer`, browsers send `Origin: null` with the forms. So a
    ///   form is recognised by its `flow`.
    var headers: [(name: String, value: String)] {
        let script = script == nil ? "" : "; script-src '\(PageScript.hash)'"
        let policy =
            "default-src 'none'; style-src '\(Stylesheet.hash)'\(script); form-action 'self'; frame-ancestors 'none'; "
            + "base-uri 'none'"
        return [("content-type", "text/html; charset=utf-8")] + WebResponse.privateHeaders + [
            ("content-security-policy", policy),
            ("x-frame-options", "DENY"),
            ("permissions-policy", pagePermissions),
            ("cross-origin-opener-policy", place.isOpened ? "unsafe-none" : "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-robots-tag", "noindex"),
        ]
    }
}

/// The pages need no device and no other power of the browser.
private let pagePermissions = [
    "accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid", "idle-detection",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
]
.map { $0 + "=()" }.joined(separator: ", ")

extension StaticString {
    /// Its hash, as a Content Security Policy names it.
    var sourceHash: String { "sha256-" + Base64.text(SHA256.hash(of: withUTF8Buffer(Array.init))) }
}
