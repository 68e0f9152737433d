package import KinfolkModel

/// A field of a record type.
package struct FieldDefinition: Sendable, Hashable {
    /// How the values of a field are kept besides the record.
    package struct Options: OptionSet, Sendable, Hashable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// Records can be found by a value.
        package static let queryable = Options(rawValue: 1)
        /// Records can be put in the order of the values, and found by a range of them.
        package static let sortable = Options(rawValue: 2)
        /// Records can be found by a word of a text.
        package static let searchable = Options(rawValue: 4)
        /// No index may be declared.
        package static let encrypted = Options(rawValue: 8)

        private static let all: Options = [.queryable, .sortable, .searchable]

        package var indexes: FieldIndexes { FieldIndexes(rawValue: rawValue & Options.all.rawValue) }

        package init(_ indexes: FieldIndexes) { self = Options(rawValue: indexes.rawValue).intersection(.all) }
    }

    /// The number of the field in its container; never given again.
    package let number: Int64
    package let type: FieldType
    /// What is declared.
    package private(set) var options: Options
    /// The indexes of which there may be entries that are not declared, and those that are declared and complete. An index that is
    /// declared and not among them is being built; one that is among them and not declared is being removed.
    package private(set) var built: FieldIndexes
    /// Which tables of Unicode made the entries of texts.
    package private(set) var textVersion: TextVersion

    /// A new field.
    ///
    /// - Parameter built: Its complete indexes; nil for all.
    package init(number: Int64, type: FieldType, options: Options, built: FieldIndexes? = nil) {
        self.init(stored: number, type, options, built ?? options.indexes, .current)
    }

    init(stored number: Int64, _ type: FieldType, _ options: Options, _ built: FieldIndexes, _ version: TextVersion) {
        self.number = number
        self.type = type
        self.options = options
        self.built = built
        textVersion = version
    }

    /// The options of a field that a save adds.
    package static func options(ofNew type: FieldType, in recordType: String) -> Options {
        switch type {
        case .string, .int64, .double, .bytes, .date, .reference: recordType == RecordType.users ? [] : .queryable
        default: []
        }
    }
}

// MARK: Indexes that are being built and removed

extension FieldDefinition {
    /// Whether a record has, or may have, entries in an index of this field.
    package func has(_ index: FieldIndexes, _ presence: IndexPresence) -> Bool {
        switch presence {
        case .certain: options.indexes.contains(index) && built.contains(index) && hasThisVersion
        case .wanted: options.indexes.contains(index) && !isWithdrawn
        case .possible: options.indexes.union(built).contains(index)
        }
    }

    /// Whether the declared indexes are complete, and there are no others.
    var isSettled: Bool { options.indexes == built && (built.isEmpty || hasThisVersion) }

    /// The field as it is while all its indexes are being built.
    var withoutCompleteIndexes: FieldDefinition { FieldDefinition(stored: number, type, options, [], textVersion) }

    private var holdsTexts: Bool { type.element == .string }

    /// Another version of Unicode's tables folds some texts to other ones, and finds other words in them.
    private var hasThisVersion: Bool { !holdsTexts || textVersion == .current }

    /// Whether the entries of another version are being removed, and then built again.
    var isWithdrawn: Bool { holdsTexts && textVersion == .none }

    /// Declares other indexes. Those that are added have to be built, and those that are removed may have entries left, also if their
    /// building or removal was not over.
    mutating func declare(_ new: Options) {
        let (before, after) = (options.indexes, new.indexes)
        built = built.subtracting(after.subtracting(before)).union(before.subtracting(after))
        options = new
    }

    /// Notes that all records have the entries of the declared indexes, and no others. The entries of another version of Unicode
    /// were removed if there were any, and are built next.
    mutating func settle() {
        built = isWithdrawn ? [] : options.indexes
        if isWithdrawn { textVersion = .current }
    }

    /// Begins to replace the entries that an older version of Unicode's tables made, if there are any.
    mutating func withdrawOlderTexts() {
        guard holdsTexts, !options.indexes.union(built).isEmpty, textVersion < .current else { return }
        textVersion = .none
    }
}
