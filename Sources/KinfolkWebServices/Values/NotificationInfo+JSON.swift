import Kinfolk
import KinfolkJSON

extension NotificationInfo {
    private static var texts: [(String, WritableKeyPath<NotificationInfo, String>)] {
        [
            ("alertBody", \.alertBody), ("alertLocalizationKey", \.alertLocalizationKey), ("title", \.title),
            ("titleLocalizationKey", \.titleLocalizationKey), ("subtitle", \.subtitle),
            ("subtitleLocalizationKey", \.subtitleLocalizationKey),
            ("alertActionLocalizationKey", \.alertActionLocalizationKey), ("alertLaunchImage", \.alertLaunchImage),
            ("soundName", \.soundName), ("category", \.category), ("collapseIDKey", \.collapseIDKey),
        ]
    }

    private static var lists: [(String, WritableKeyPath<NotificationInfo, [String]>)] {
        [
            ("alertLocalizationArgs", \.alertLocalizationArgs), ("titleLocalizationArgs", \.titleLocalizationArgs),
            ("subtitleLocalizationArgs", \.subtitleLocalizationArgs), ("desiredKeys", \.desiredKeys),
            // As CloudKit JS calls them.
            ("additionalFields", \.desiredKeys),
        ]
    }

    private static var flags: [(String, WritableKeyPath<NotificationInfo, Bool>)] {
        [
            ("shouldBadge", \.shouldBadge), ("shouldSendContentAvailable", \.shouldSendContentAvailable),
            ("shouldSendMutableContent", \.shouldSendMutableContent),
        ]
    }

    init(_ members: Members) throws(WebError) {
        self.init()
        for (name, path) in NotificationInfo.texts {
            if let text = try members.text(name) { self[keyPath: path] = text }
        }
        for (name, path) in NotificationInfo.lists {
            if let texts = try members.texts(name) { self[keyPath: path] = texts }
        }
        for (name, path) in NotificationInfo.flags {
            if let flag = try members.flag(name) { self[keyPath: path] = flag }
        }
    }

    /// What differs from an info that was not set.
    var json: JSON {
        var members: [(String, JSON)] = []
        for (name, path) in NotificationInfo.texts where !self[keyPath: path].isEmpty {
            members.append((name, .string(self[keyPath: path])))
        }
        for (name, path) in NotificationInfo.lists where !self[keyPath: path].isEmpty {
            members.append((name, .array(self[keyPath: path].map(JSON.string))))
        }
        for (name, path) in NotificationInfo.flags where self[keyPath: path] { members.append((name, .boolean(true))) }
        return .object(members)
    }
}
