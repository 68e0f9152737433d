package import KinfolkModel
package import KinfolkRecords

extension Document {
    /// The conflict that an upload has become; nil if it was saved as the current version.
    ///
    /// - Parameter upload: One that was saved as a version of this document.
    package func conflict(from upload: AssetUpload) throws(KinfolkError) -> DocumentVersion? {
        let asset = try upload.finish()
        return conflicts.first { $0.asset == asset }
    }
}
