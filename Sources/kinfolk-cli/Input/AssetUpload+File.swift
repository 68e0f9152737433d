import Kinfolk
import KinfolkFiles
import KinfolkStorage

extension AssetUpload {
    /// Adds a file, or standard input, and shows the progress.
    func addShowingProgress(_ file: FilePath) throws(KinfolkError) {
        var bar = ProgressBar("Uploading")
        defer { bar.clear() }
        func show(_ done: Int, of total: Int?) throws(KinfolkError) {
            try bar.show(
                share: total.map { done.share(of: $0) },
                done / 1_000_000,
                "MB",
                orStop: "The upload was stopped, and nothing was changed."
            )
        }
        guard file.isStandardInput else {
            return try add(file: file) { (done, total) throws(KinfolkError) in try show(done, of: total) }
        }
        try StandardInput.forEachPiece { (piece) throws(KinfolkError) in
            try write(piece)
            try show(size, of: nil)
        }
    }
}
