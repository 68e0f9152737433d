/// The file with the configuration.
struct SettingsFile {
    static let manual = """
        CONFIGURATION
        Each option is also a variable, such as $KINFOLK_LISTEN for --listen, and a line in the file that --config names, such as \
        "listen = [::]:443". Options override variables, and variables override the file. An option that may be given several times has \
        several lines in the file, and commas in a variable. In the file, empty lines and lines that begin with # are ignored; an unknown \
        name is an error.

        RATES
        A rate is a number of requests in a second, minute or hour: 200/s, 30/m, 20/h. A second number, as in "200/s 2000", says how many \
        may come at once; without it, as many as the first number.

        CONSENT
        A file of --consent has the words with which one container asks whether others may find a person, in lines "name = value": \
        "container"; "version", under which the answers are stored; "text", once for each paragraph; and, for people who use the pages in \
        one of the languages de, en, es, fr, it and ja, "text-de" and so on.

        OPENID CONNECT
        A file of --openid-provider has the lines "name" (what people see), "issuer" (a URL), "client-id" and "client-secret" (from the \
        provider), and "email-domains": the domains, separated by spaces, for whose addresses the provider's word counts, or *. Each \
        provider must know a redirect URL of its own, which "kinfolkd check" prints. The program curl must be installed. Only the user of the \
        service should be able to read the file.
        """

    /// Each value with the number of its line.
    private(set) var values: [SettingName: [(value: String, line: Int)]] = [:]
    private(set) var problems: [String] = []

    init(path: String) {
        var file = SettingLines(path: path)
        for line in file.lines { read(line, &file) }
        problems = file.problems
    }

    private mutating func read(_ line: SettingLines.Line, _ file: inout SettingLines) {
        guard let setting = SettingName(rawValue: line.name) else {
            return file.add("has an unknown name: \(line.name).", line: line.number)
        }
        if !setting.isList, let first = values[setting]?.first {
            return file.add("sets \(line.name), which line \(first.line) sets already.", line: line.number)
        }
        values[setting, default: []].append((line.value, line.number))
    }
}
