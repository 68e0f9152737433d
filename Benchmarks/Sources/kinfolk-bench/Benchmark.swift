/// A group of measurements.
struct Benchmark: Sendable {
    /// The name that selects it.
    let name: String
    let measure: @Sendable (Setting) throws -> [Section]

    init(_ name: String, _ measure: @escaping @Sendable (Setting) throws -> [Section]) {
        self.name = name
        self.measure = measure
    }

    static let all = [
        Benchmark("email", CanonicalEmailWork.measure),
        Benchmark("vcard", VCardWork.measure),
        Benchmark("contacts", ContactsWork.measure),
        Benchmark("cold", ColdContactsWork.measure),
        Benchmark("threads", TwoThreadsWork.measure),
        Benchmark("lookup", LookupWork.measure),
        Benchmark("private-batch", PrivateBatchWork.measure),
        Benchmark("private-buckets", PrivateBucketsWork.measure),
        Benchmark("private-build", PrivateBuildWork.measure),
        Benchmark("signin", SignInWork.measure),
        Benchmark("user-records", UserRecordWork.measure),
        Benchmark("stored-records", RecordWork.measure),
        Benchmark("zones", ZoneWork.measure),
        Benchmark("cascade", CascadeWork.measure),
        Benchmark("assets", AssetWork.measure),
        Benchmark("keyvalue", KeyValueWork.measure),
        Benchmark("documents", DocumentWork.measure),
        Benchmark("subscriptions", SubscriptionWork.measure),
        Benchmark("queries", QueryWork.measure),
        Benchmark("words", SearchWork.measureWords),
        Benchmark("distance", SearchWork.measureDistance),
        Benchmark("grants", GrantWork.measure),
        Benchmark("one-zone", OneZoneWork.measure),
        Benchmark("calls", CallWork.measure),
        Benchmark("python", PythonWork.measure),
        Benchmark("open", OpeningWork.measure),
        Benchmark("memory", MemoryWork.measure),
        Benchmark("import", ImportWork.measure),
        Benchmark("postgresql-book", ServerContactsWork.measure),
        Benchmark("postgresql-signin", ServerSignInWork.measure),
        Benchmark("postgresql-zone", OneZoneWork.measureOnServer),
        Benchmark("postgresql-subscriptions", SubscriptionWork.measureOnServer),
        Benchmark("service-reads") { try ServiceWork.measure(.reads, $0) },
        Benchmark("service-writes") { try ServiceWork.measure(.writes, $0) },
        Benchmark("service-upload") { try ServiceWork.measure(.upload, $0) },
        Benchmark("service-events") { try ServiceWork.measure(.events, $0) },
        Benchmark("service-polls") { try ServiceWork.measure(.polls, $0) },
        Benchmark("service-people") { try ServiceWork.measure(.people, $0) },
    ]
}
