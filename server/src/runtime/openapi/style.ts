/** System fonts, light or dark by system setting, one column on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1f1b16; --soft: #5c554b; --line: #e2dacb; --paper: #fffdf9; --shade: #f7f4ee; --link: #17604a; --on-link: #ffffff;
  --get: #17604a; --post: #0b5cad; --put: #84510a; --patch: #84510a; --delete: #a3261b;
  --ok: #17604a; --caller: #84510a; --server: #a3261b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #f3eee5; --soft: #b8afa1; --line: #39342d; --paper: #161411; --shade: #1f1c18; --link: #85d1b0; --on-link: #0b241a;
    --get: #85d1b0; --post: #6cb6ff; --put: #f0c070; --patch: #f0c070; --delete: #ffa898;
    --ok: #85d1b0; --caller: #f0c070; --server: #ffa898;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover, main a { text-decoration: underline; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre, var { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; font-style: normal; }
small, .place { color: var(--soft); font-size: .8125rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 1; }
nav { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); font-size: .875rem; max-height: 40vh; overflow: auto; }
nav ul { list-style: none; margin: .25rem 0 .75rem; padding: 0; }
nav li a { display: flex; align-items: baseline; gap: .5rem; padding: .2rem 0; color: inherit; overflow-wrap: anywhere; }
nav .method { flex: none; margin: 0; }
nav summary { cursor: pointer; font-weight: 600; padding: .2rem 0; }
.top { border-bottom: 1px solid var(--line); padding: 0 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; min-height: 4rem; color: inherit; font-size: 1.125rem; font-weight: 700; letter-spacing: -.02em; }
.brand:hover { text-decoration: none; }
.mark { width: 1.75rem; height: 1.75rem; }
.mark-ground { fill: var(--link); }
.mark-line { fill: none; stroke: var(--on-link); stroke-width: 2.2; stroke-linecap: round; }
main { padding: 1.25rem; max-width: 60rem; min-width: 0; }
h1 { font-size: 1.125rem; margin: 0; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
#top h2 { font-size: 1.125rem; margin: 1.5rem 0 .25rem; }
h3 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.25rem 0 .5rem; }
h3 small { text-transform: none; letter-spacing: 0; }
.version { color: var(--soft); margin-top: .25rem; }
.version a { text-decoration: underline; }
.servers { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 0; }
.servers dd { margin: 0; color: var(--soft); }
.operation, .schema { border: 1px solid var(--line); border-radius: .5rem; padding: 1.25rem; margin: 1.25rem 0; }
.operation:not(:target), .schema:not(:target), main:has(article:target) #top { display: none; }
input[type="search"] { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem; padding: .375rem .625rem; margin-bottom: .75rem; }
nav [hidden] { display: none !important; }
.sample { display: block; margin: .25rem 0; }
.sample summary { cursor: pointer; }
.address { background: var(--shade); border-radius: .375rem; padding: .5rem .75rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
.address code { font-size: .9375rem; }
.address var { color: var(--link); font-size: 1em; }
.method {
  display: inline-block; min-width: 3.6rem; text-align: center; font: 700 .6875rem/1.6 ui-monospace, Menlo, Consolas, monospace;
  text-transform: uppercase; border: 1px solid currentColor; border-radius: .25rem; padding: 0 .3rem; margin-right: .35rem;
}
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.who { margin: 0; color: var(--soft); font-size: .875rem; }
.right { display: inline-block; margin-right: 1rem; }
.right b { color: var(--text); font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; }
th { font-weight: 400; width: 34%; overflow-wrap: anywhere; }
td { overflow-wrap: anywhere; }
.answers th { width: 4.5rem; }
.required { color: var(--delete); font-size: .75rem; white-space: nowrap; }
.value { background: var(--shade); border-radius: .25rem; padding: 0 .25rem; }
.status { font: 700 .875rem/1.6 ui-monospace, Menlo, Consolas, monospace; }
.s2 { color: var(--ok); } .s4 { color: var(--caller); } .s5 { color: var(--server); }
.codes { list-style: none; margin: .25rem 0 0; padding: 0; color: var(--soft); font-size: .875rem; }
.codes code { color: var(--text); }
.always { color: var(--soft); font-size: .875rem; margin: .75rem 0 0; }
pre { background: var(--shade); border-radius: .375rem; padding: .75rem 1rem; margin: .75rem 0 0; overflow-x: auto; line-height: 1.45; }
@media (max-width: 36rem) {
  .operation, .schema { padding: 1rem; }
  table:not(.answers) :is(tr, th, td) { display: block; width: auto; }
  table:not(.answers) td { border-top: 0; padding-top: 0; }
  table:not(.answers) th { padding-bottom: .1rem; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; max-height: none; border-bottom: 0; border-right: 1px solid var(--line); }
  .top { grid-column: 1 / -1; }
  main { padding: 2rem 3rem 4rem; }
}
@media print { nav, .top { display: none; } }
`
