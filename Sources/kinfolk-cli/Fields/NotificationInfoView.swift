import Kinfolk
import KinfolkJSON

/// What notifications tell, as it is shown: only what is set.
struct NotificationInfoView {
    private let info: NotificationInfo

    init(_ info: NotificationInfo) { self.info = info }

    private var texts: [(String, String)] {
        [
            ("alert_body", info.alertBody), ("alert_key", info.alertLocalizationKey), ("title", info.title),
            ("title_key", info.titleLocalizationKey), ("subtitle", info.subtitle),
            ("subtitle_key", info.subtitleLocalizationKey), ("action_key", info.alertActionLocalizationKey),
            ("launch_image", info.alertLaunchImage), ("sound", info.soundName), ("category", info.category),
            ("collapse_id", info.collapseIDKey),
        ].filter { !$0.1.isEmpty }
    }

    private var lists: [(String, [String])] {
        [
            ("keys", info.desiredKeys), ("alert_args", info.alertLocalizationArgs),
            ("title_args", info.titleLocalizationArgs), ("subtitle_args", info.subtitleLocalizationArgs),
        ].filter { !$0.1.isEmpty }
    }

    private var flags: [String] {
        [
            ("badge", info.shouldBadge), ("content_available", info.shouldSendContentAvailable),
            ("mutable_content", info.shouldSendMutableContent),
        ].filter(\.1).map(\.0)
    }

    var shown: [(name: String, value: String)] {
        let all =
            texts + lists.map { ($0, $1.joined(separator: ",")) } + flags.map { ($0, "yes") }
        return all.map { ($0.replacing("_", with: " "), $1) }
    }

    var json: JSON {
        .object(
            texts.map { ($0, .string($1)) } + lists.map { ($0, .array($1.map(JSON.string))) }
                + flags.map { ($0, .boolean(true)) }
        )
    }
}
