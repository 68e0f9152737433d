/// The stylesheet of all pages. Each page contains it, and the policy of the page allows it by its hash: there is no second request.
///
/// Sizes are in `rem`, so that they follow the size of the text. Nothing moves, so `prefers-reduced-motion` changes nothing.
/// Buttons, fields and messages have borders, which remain with forced colours.
enum Stylesheet {
    static let text: StaticString = """
        :root {
          color-scheme: light dark;
          --page: #f3f4f6; --surface: #ffffff; --text: #1b1f24; --muted: #525a65; --line: #747c88; --rule: #d9dce1;
          --accent: #0b57b0; --on-accent: #ffffff; --danger: #b0201c; --on-danger: #ffffff; --good: #17663a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14171b; --surface: #1e2227; --text: #eceff3; --muted: #abb3be; --line: #88919d; --rule: #3a4048;
            --accent: #8ab8ff; --on-accent: #0b1a2e; --danger: #ffa198; --on-danger: #2b0906; --good: #7fd6a0;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; padding: min(2.5rem, 4vw); background: var(--page); color: var(--text);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          overflow-wrap: break-word;
        }
        :lang(ja) {
          font-family: system-ui, -apple-system, "Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans CJK JP", sans-serif;
          line-break: strict;
        }
        main { max-width: 30rem; margin: 0 auto; }
        main:has(section) { max-width: 44rem; }
        main > :last-child { margin-bottom: 0; }
        main {
          padding: min(2rem, 5vw); background: var(--surface); border: 1px solid var(--rule); border-radius: 0.75rem;
        }
        h1, h2, h3 { margin: 0 0 0.75rem; line-height: 1.25; hyphens: auto; text-wrap: balance; overflow-wrap: anywhere; }
        h1:lang(ja), h2:lang(ja), h3:lang(ja) { text-wrap: wrap; word-break: auto-phrase; }
        h1 { font-size: 1.625rem; }
        h2 { font-size: 1.25rem; }
        h3 { font-size: 1.0625rem; margin-bottom: 0.375rem; }
        * + h3 { margin-top: 1.75rem; }
        h2 + h3 { margin-top: 0; }
        h4 { margin: 1rem 0 0; font-size: 1rem; line-height: 1.25; }
        p, ul { margin: 0 0 1rem; }
        section, .part { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
        bdi { font-weight: 600; overflow-wrap: anywhere; }
        h1 bdi, h2 bdi, h3 bdi, a bdi, button bdi, label bdi, .meta bdi { font-weight: inherit; }
        a { color: var(--accent); text-underline-offset: 0.2em; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
        .hint, .meta { color: var(--muted); }
        .hint { margin: 0 0 0.375rem; }
        .meta { margin: 0; }
        .after { margin: 1rem 0 0; }
        .field { margin: 0 0 1.25rem; }
        label { font-weight: 600; }
        .field > label { display: block; margin-bottom: 0.25rem; }
        input:not([type=checkbox]) {
          display: block; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit;
          background: var(--surface); border: 1px solid var(--line); border-radius: 0.375rem;
        }
        .code { font-family: ui-monospace, "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; letter-spacing: 0.08em; }
        [aria-invalid=true] { border: 2px solid var(--danger) !important; }
        .check { display: grid; grid-template-columns: auto 1fr; gap: 0.125rem 0.75rem; align-items: start; }
        .check label { font-weight: inherit; }
        .check input { width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent); }
        .check .hint { grid-column: 2; margin: 0; }
        button, .button {
          display: inline-block; min-height: 2.75rem; padding: 0.5rem 1.125rem; font: inherit; font-weight: 600;
          text-align: center; text-decoration: none; cursor: pointer; border: 2px solid var(--line); border-radius: 0.375rem;
          background: var(--surface); color: var(--text); max-width: 100%; overflow-wrap: anywhere;
        }
        .main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
        .danger { background: var(--danger); border-color: var(--danger); color: var(--on-danger); }
        button:hover, .button:hover { text-decoration: underline; text-underline-offset: 0.2em; }
        .wide { display: block; width: 100%; }
        .wide + .wide { margin-top: 0.75rem; }
        .actions { display: flex; flex-wrap: wrap; gap: 0.75rem 1.25rem; align-items: center; }
        .actions > p { margin: 0; }
        .application { margin-bottom: 0.75rem; }
        form { margin: 0; }
        ul + form, .devices + form { margin-top: 1.25rem; }
        .errors, .notice, blockquote {
          margin: 0 0 1.25rem; padding: 0.75rem 1rem; border: 1px solid var(--rule); border-left: 0.375rem solid var(--line);
          border-radius: 0.375rem;
        }
        .errors { border-color: var(--danger); }
        .errors h2 { font-size: 1.0625rem; margin-bottom: 0.25rem; }
        .errors p, .notice p, blockquote > :last-child { margin-bottom: 0; }
        .errors a, .error { color: var(--danger); }
        .error { margin: 0 0 0.375rem; font-weight: 600; }
        .notice { border-color: var(--good); }
        summary { min-height: 1.5rem; padding: 0.5rem 0; cursor: pointer; color: var(--accent); font-weight: 600; }
        details > :not(summary) { margin-top: 0.5rem; }
        .items, .languages, .providers { padding: 0; list-style: none; }
        .items > li {
          display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between;
          padding: 0.75rem 0; border-bottom: 1px solid var(--rule);
        }
        .items > li > :first-child { flex: 1 1 14rem; min-width: 0; }
        .items p { margin: 0; }
        .items .items { margin: 0.5rem 0 0; width: 100%; }
        .providers li { margin-bottom: 0.75rem; }
        .languages { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: center; margin: 1rem 0 0; }
        .languages a, .languages span { display: inline-block; min-width: 2.75rem; padding: 0.5rem 0.25rem; text-align: center; }
        .languages span { font-weight: 600; }
        """
    static let hash = text.sourceHash
}
