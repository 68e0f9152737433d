/// The only script: it gives a web auth token to the window that opened this one, and closes this one.
///
/// Its values are in attributes of its element, and so its text is always the same. The policy of the page allows it by its hash: a
/// script that somebody else managed to insert would not run.
struct PageScript: Sendable {
    let token: String
    /// The only origin that can receive the message.
    let origin: String

    static let text: StaticString = """
        (() => {
          const { token, origin } = document.currentScript.dataset;
          if (window.opener) {
            window.opener.postMessage({ ckWebAuthToken: token, ckSession: token }, origin);
            window.close();
          } else {
            document.getElementById("lost").hidden = false;
          }
        })();
        """
    static let hash = text.sourceHash
}
