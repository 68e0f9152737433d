/// What an application wants to be told by the notifications of a subscription, as `CKSubscription.NotificationInfo`.
///
/// Kinfolk carries these values to the devices of the subscription's user. What is shown there is up to the application.
public struct NotificationInfo: Sendable, Hashable {
    /// The most fields in ``desiredKeys``, and in each list of arguments.
    public static let maximumKeys = 100
    /// The most bytes of the value of a field in a localized text. The rest is cut off.
    public static let maximumArgument = 1_024
    /// The most bytes of all texts together.
    public static let maximumSize = 4_096

    /// The text of an alert.
    public var alertBody = ""
    /// The key of a localized text of an alert.
    public var alertLocalizationKey = ""
    /// The fields whose values go into the localized text. In a notification these are the values themselves, as texts.
    public var alertLocalizationArgs: [String] = []
    /// The title of an alert.
    public var title = ""
    /// The key of a localized title.
    public var titleLocalizationKey = ""
    /// The fields whose values go into the localized title. In a notification these are the values themselves, as texts.
    public var titleLocalizationArgs: [String] = []
    /// The subtitle of an alert.
    public var subtitle = ""
    /// The key of a localized subtitle.
    public var subtitleLocalizationKey = ""
    /// The fields whose values go into the localized subtitle. In a notification these are the values themselves, as texts.
    public var subtitleLocalizationArgs: [String] = []
    /// The key of the localized title of an alert's button.
    public var alertActionLocalizationKey = ""
    /// The name of an image to show while the application starts.
    public var alertLaunchImage = ""
    /// The name of a sound.
    public var soundName = ""
    /// The fields of a record that a notification brings along.
    public var desiredKeys: [String] = []
    /// Whether the application's badge counts the notification.
    public var shouldBadge = false
    /// Whether the application should fetch content in the background.
    public var shouldSendContentAvailable = false
    /// Whether the application may change the alert before it is shown.
    public var shouldSendMutableContent = false
    /// The category of the alert, which decides its buttons.
    public var category = ""
    /// Which notifications the application shows as one.
    public var collapseIDKey = ""

    /// Without any texts, sound, badge and fields.
    public init() {}

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name of a field is malformed, ``KinfolkError/Code/limitExceeded`` if there is too
    ///   much of something.
    package func validate() throws(KinfolkError) {
        for keys in [desiredKeys, alertLocalizationArgs, titleLocalizationArgs, subtitleLocalizationArgs] {
            guard keys.count <= NotificationInfo.maximumKeys else {
                throw KinfolkError(.limitExceeded, "A list has at most \(NotificationInfo.maximumKeys) fields.")
            }
            for key in keys { try FieldName.validate(key) }
        }
        let size = texts.reduce(0) { $0 + $1.utf8.count } + lists.joined().reduce(0) { $0 + $1.utf8.count }
        guard size <= NotificationInfo.maximumSize else {
            throw KinfolkError(
                .limitExceeded,
                "The texts of a notification have at most \(NotificationInfo.maximumSize) bytes together."
            )
        }
    }

    /// All texts that are not empty.
    package var allTexts: [String] { texts.filter { !$0.isEmpty } }

    // MARK: Encoding

    private static var textPaths: [WritableKeyPath<NotificationInfo, String>] {
        [
            \.alertBody, \.alertLocalizationKey, \.title, \.titleLocalizationKey, \.subtitle, \.subtitleLocalizationKey,
            \.alertActionLocalizationKey, \.alertLaunchImage, \.soundName, \.category, \.collapseIDKey,
        ]
    }
    private static var listPaths: [WritableKeyPath<NotificationInfo, [String]>] {
        [
            \.desiredKeys, \.alertLocalizationArgs, \.titleLocalizationArgs, \.subtitleLocalizationArgs,
        ]
    }
    private static var flagPaths: [WritableKeyPath<NotificationInfo, Bool>] {
        [
            \.shouldBadge, \.shouldSendContentAvailable, \.shouldSendMutableContent,
        ]
    }

    private var texts: [String] { NotificationInfo.textPaths.map { self[keyPath: $0] } }
    private var lists: [[String]] { NotificationInfo.listPaths.map { self[keyPath: $0] } }

    /// The values that are not empty, by short names.
    package func encode(into fields: inout Fields) {
        for (index, text) in texts.enumerated() where !text.isEmpty { fields["t\(index)"] = .string(text) }
        for (index, list) in lists.enumerated() where !list.isEmpty { fields["l\(index)"] = .stringList(list) }
        for (index, path) in NotificationInfo.flagPaths.enumerated() where self[keyPath: path] {
            fields["f\(index)"] = .boolean(true)
        }
    }

    package init(decoding fields: Fields) {
        for (index, path) in NotificationInfo.textPaths.enumerated() {
            if case .string(let text)? = fields["t\(index)"] { self[keyPath: path] = text }
        }
        for (index, path) in NotificationInfo.listPaths.enumerated() {
            if case .stringList(let list)? = fields["l\(index)"] { self[keyPath: path] = list }
        }
        for (index, path) in NotificationInfo.flagPaths.enumerated() {
            if case .boolean(true)? = fields["f\(index)"] { self[keyPath: path] = true }
        }
    }
}

extension NotificationInfo: Redacted {}
