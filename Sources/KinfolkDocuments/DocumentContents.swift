package import KinfolkModel
package import KinfolkRecords

/// Where the contents of a new version come from.
package enum DocumentContents: Sendable {
    /// An upload of the same session, which the change of the document completes, in one transaction.
    case upload(AssetUpload)
    /// A file that an upload to the zone of the documents has stored before.
    case stored(Asset)
}
