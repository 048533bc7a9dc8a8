/** The style of the HTML report: light and dark by the system's setting, and for print. */
export const style = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2125;--quiet:#59636e;--line:#d9dee3;--wash:#f5f7f9;
--good:#18703a;--good-wash:#e3f4e9;--bad:#b3261e;--bad-wash:#fcebea;--odd:#835400;--odd-wash:#fbf1dc;--none:#8a949e}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e2e6ea;--quiet:#9aa5b0;--line:#30363d;--wash:#1c2126;
--good:#63c688;--good-wash:#14301f;--bad:#ff8f85;--bad-wash:#3a1a18;--odd:#e5b45b;--odd-wash:#33270f;--none:#66707a}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:76rem;padding:1.5rem 1.25rem 4rem;overflow-wrap:anywhere;background:var(--paper);color:var(--ink)}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}
p{margin:.35rem 0}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
pre{margin:.5rem 0 0;padding:.6rem .75rem;background:var(--wash);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:2px}
.quiet{color:var(--quiet)}
.harm{background:var(--bad);color:var(--paper);padding:.7rem 1rem;border-radius:6px;font-weight:600;margin:1rem 0;overflow-wrap:anywhere}
.bar{display:flex;height:10px;border-radius:5px;overflow:hidden;margin:1rem 0 .6rem;gap:2px}
.bar i{display:block;min-width:3px}
.bar .passed{background:var(--good)}.bar .failed{background:var(--bad)}.bar :is(.known,.departs,.flaky){background:var(--odd)}.bar :is(.blocked,.skipped){background:var(--none)}
.counts{display:flex;flex-wrap:wrap;gap:.35rem 1.5rem;padding:0;margin:0;list-style:none}
.counts b{font-variant-numeric:tabular-nums}
.passed>b{color:var(--good)}.failed>b{color:var(--bad)}:is(.known,.departs,.flaky)>b{color:var(--odd)}
.verdict{font-size:1.15rem;font-weight:700;margin:.5rem 0}.verdict.passed{color:var(--good)}.verdict.failed{color:var(--bad)}.verdict.incomplete{color:var(--odd)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:1rem 0}dd{margin:0}
blockquote{margin:.5rem 0;padding:.3rem .75rem;border-left:3px solid var(--line)}
mark{background:none;color:inherit;font-weight:700;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px}
h4{font-size:1rem;margin:0}main h3{margin:1.5rem 0 .6rem}
.filter{display:flex;flex-wrap:wrap;gap:.4rem;margin:1.5rem 0 0;padding:.6rem 0;border:0;position:sticky;top:0;background:var(--paper);z-index:1}
.filter [type=search]{margin-left:auto;font:inherit;padding:.2rem .75rem;border:1px solid var(--none);border-radius:99px;background:var(--paper);color:var(--ink);opacity:1;position:static;inset:auto}
.filter legend{float:left;margin-right:.5rem;padding:.2rem 0;color:var(--quiet)}
.filter label{position:relative;padding:.2rem .75rem;border:1px solid var(--line);border-radius:99px;cursor:pointer}
.filter input{position:absolute;inset:0;margin:0;opacity:0}
.filter label:has(:checked){background:var(--ink);color:var(--paper);border-color:var(--ink)}
.filter label:has(:focus-visible){outline:2px solid var(--ink);outline-offset:2px}
.card{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:6px;padding:.9rem 1rem;margin:0 0 .9rem}
.card.weak{border-left-color:var(--odd)}
.tag{font-size:12px;padding:.05rem .5rem;border-radius:99px;background:var(--bad-wash);color:var(--bad);white-space:nowrap}
.weak .tag{background:var(--odd-wash);color:var(--odd)}
.sides{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;margin-top:.6rem}
.sides h5{margin:0;font-size:12px;font-weight:600;color:var(--quiet)}
.sides pre{margin-top:.2rem}
.sides .got pre{background:var(--bad-wash);border-color:transparent}
.weak .sides .got pre{background:var(--odd-wash)}
summary{cursor:pointer;color:var(--quiet);margin-top:.6rem}
.missing{width:100%;border-collapse:collapse}
.missing td{border-top:1px solid var(--line);padding:.45rem .75rem .45rem 0;vertical-align:top}
.missing td:first-child{width:45%}
.missing summary{margin:0}
.doc{border-top:1px solid var(--line)}
.row{display:grid;grid-template-columns:3rem 1.5rem minmax(0,1fr) minmax(0,20rem);gap:.25rem .5rem;padding:.2rem 0;border-bottom:1px solid transparent;scroll-margin-top:4rem}
.row:target{outline:2px solid var(--ink);outline-offset:1px;border-radius:4px}
.row>:is(.no,.mark){align-self:baseline}
.row.form>.text{font-weight:600}
.row.form>.text p{font-weight:400}
.row>.no{color:var(--quiet);text-align:right;font:12px/1.9 ui-monospace,monospace;text-decoration:none}
.row>.mark{text-align:center;font-weight:700}
.row.green>.mark{color:var(--good)}.row.red>.mark{color:var(--bad)}.row.amber>.mark{color:var(--odd)}.row.grey>.mark{color:var(--none)}
.row.red{background:var(--bad-wash)}.row.amber{background:var(--odd-wash)}
.row.grey>.text{color:var(--quiet)}
.row:has(h3){align-items:end;padding-top:1.1rem}
.row h3{font-size:1.05rem}
.row .cells{display:grid;grid-template-columns:minmax(7rem,1fr) minmax(0,3fr);gap:.75rem}
.beside{font-size:12.5px;line-height:1.6}
.beside details summary{margin:0;color:inherit}
.beside ul{margin:.2rem 0 .3rem;padding-left:1.1rem}
.beside .bad{color:var(--bad)}.beside .odd{color:var(--odd)}
body:has(#f-failed:checked) :is(.row:not(.red,.amber),.s-unchecked,.s-choices,.s-left),
body:has(#f-unchecked:checked) :is(.row:not(.grey),.s-failed,.s-choices,.s-left),
body:has(#f-passed:checked) :is(.row:not(.green),.s-failed,.s-unchecked,.s-choices,.s-left),.no-match{display:none}
@media (max-width:46rem){body{padding:1rem .8rem 3rem}.sides{grid-template-columns:minmax(0,1fr)}
.row{grid-template-columns:2rem 1.2rem minmax(0,1fr)}.beside{grid-column:3}.missing td{display:block;width:auto!important;border-top:0;padding:.1rem 0}
.missing tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}.row .cells{grid-template-columns:minmax(0,1fr);gap:0}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000}body{max-width:none;padding:0;font-size:10pt}.filter{display:none}
.card,.row{break-inside:avoid}h2{break-after:avoid}details::details-content{content-visibility:visible!important;block-size:auto!important}
.bar i,.row.red,.row.amber,.sides pre,.harm{print-color-adjust:exact}}
`

/** The search of the HTML report: hides findings without the text. */
export const script = `
const field = document.getElementById('search')
field.hidden = false
field.addEventListener('input', () => {
  const text = field.value.trim().toLowerCase()
  for (const part of document.querySelectorAll('.card, .row, .missing tr'))
    part.classList.toggle('no-match', text !== '' && !part.textContent.toLowerCase().includes(text))
})
`
