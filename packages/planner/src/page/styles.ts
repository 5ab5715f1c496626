/** Styles of the page. Colors are defined twice: for light and for dark. */
export const PAGE_STYLES: string = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --raised: #ffffff; --text: #1c2126; --muted: #5a636b; --line: #e2dfd9; --track: #e7e4de;
  --accent: #24639c; --accent-soft: #8fb4d6; --other: #8a8f94; --over: #c0392b; --over-text: #a82a1d; --good: #2b6a45;
  --badge: #e4eef7; --button: #f1efea;
  --level-0: #edf1f4; --level-1: #d6e2ec; --level-2: #afcae1; --level-3: #6b9cc6; --level-4: #e08a4f; --level-5: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --raised: #1b1f23; --text: #e7e9eb; --muted: #a3acb4; --line: #2d3338; --track: #2b3136;
    --accent: #74aee0; --accent-soft: #3c6a94; --other: #868e95; --over: #e5695a; --over-text: #ff9384; --good: #7cc79a;
    --badge: #20364a; --button: #272d32;
    --level-0: #1d2226; --level-1: #233240; --level-2: #2c4a66; --level-3: #4585bd; --level-4: #d98a4b; --level-5: #f0644f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--text);
  font: 16px/1.55 system-ui, Roboto, Helvetica, Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
main, footer { max-width: 1080px; margin: 0 auto; padding: 0 32px; }
footer { padding-top: 24px; padding-bottom: 64px; color: var(--muted); font-size: 0.8125rem; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
code { overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
small { font-size: 0.8125rem; font-weight: 400; color: var(--muted); }
p.muted { margin-top: 12px; font-size: 0.875rem; }
.muted { color: var(--muted); }

header { padding: 56px 0 8px; }
.kicker { color: var(--muted); font-size: 0.875rem; margin-bottom: 16px; }
.kind { display: inline-block; margin: 0 0 0 8px; padding: 1px 10px; border-radius: 999px; background: var(--badge); color: var(--text); }
h1 { margin: 0 0 32px; max-width: 38em; font-size: clamp(1.25rem, 1.1rem + 0.8vw, 1.625rem); line-height: 1.35; font-weight: 600; text-wrap: pretty; }
h1 code { font-size: 0.94em; color: var(--accent); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 0 0 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--line); gap: 1px; overflow: hidden; }
.tiles > div { padding: 14px 18px 16px; background: var(--raised); }
.tiles dt { color: var(--muted); font-size: 0.8125rem; }
.tiles dd { margin: 2px 0 0; font-size: 1.375rem; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.tiles dd code { font-size: 1rem; }
.tiles .note { display: block; margin-top: 2px; line-height: 1.35; }
.sample { color: var(--muted); font-size: 0.875rem; max-width: 70em; }
.sample b { color: var(--text); font-weight: 500; }

section { padding: 36px 0 4px; margin-top: 28px; border-top: 1px solid var(--line); }
h2 { margin: 0 0 4px; font-size: 1.1875rem; font-weight: 600; }
h3 { margin: 28px 0 8px; font-size: 0.9375rem; font-weight: 600; }
.lead { max-width: 46em; color: var(--muted); font-size: 0.9375rem; margin-bottom: 20px; text-wrap: pretty; }

.scroll { overflow-x: auto; margin: 0 0 12px; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; line-height: 1.4; }
th, td { padding: 7px 14px 7px 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 500; font-size: 0.8125rem; white-space: nowrap; }
#queries ~ .scroll thead th { white-space: normal; vertical-align: bottom; }
#queries ~ .scroll th:first-child { min-width: 11em; }
tbody th { font-weight: 400; }
tbody tr:last-child > * { border-bottom-color: transparent; }
.number { text-align: right; white-space: nowrap; }
#candidates ~ .scroll tbody th, #candidates ~ details tbody th { padding-left: 1.9em; text-indent: -1.9em; }
.rank { display: inline-block; width: 1.9em; text-indent: 0; color: var(--muted); }
#candidates ~ .scroll tbody th, #candidates ~ details tbody th { min-width: 15em; }
#candidates ~ .scroll td:last-child, #candidates ~ details td:last-child { min-width: 17em; color: var(--muted); }
#candidates ~ .scroll td:nth-child(7) { white-space: nowrap; }
.badge { display: inline-block; text-indent: 0; padding: 0 8px; border-radius: 999px; background: var(--badge); font-size: 0.75rem; white-space: nowrap; }
.share { display: block; overflow: visible; }
.share .track { stroke: var(--track); stroke-width: 4; }
.share .fill { stroke: var(--accent); stroke-width: 4; }
.share .whisker { stroke: var(--text); stroke-width: 1.5; }
.share .bound { stroke: var(--text); stroke-width: 1.5; }

.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 40px; }
figure { margin: 0; min-width: 0; }
.pair > figure { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: subgrid; grid-row: span 5; align-content: start; align-items: start; }
figcaption { min-height: 1.6em; margin-bottom: 6px; }
.role { display: block; color: var(--muted); font-size: 0.8125rem; }
figcaption code { font-weight: 600; }
.big { margin: 0 0 8px; font-size: 0.9375rem; }
.big b { font-size: 1.75rem; font-weight: 600; }
.key.verdict .big b { color: var(--accent); }
.axis { display: block; color: var(--muted); font-size: 0.75rem; line-height: 1.6; }
.axis-line { display: flex; justify-content: space-between; color: var(--muted); font-size: 0.75rem; margin: 4px 0 12px; }
.bars { display: block; width: 100%; height: 168px; border-bottom: 1px solid var(--other); border-top: 1px solid var(--line); overflow: visible; }
.within { fill: var(--other); }
.key.verdict .within { fill: var(--accent); }
.over { fill: var(--over); }
.limit { stroke: var(--over); stroke-width: 1.25; stroke-dasharray: 5 3; vector-effect: non-scaling-stroke; }
.status { margin: 12px 0 8px; font-size: 0.875rem; font-weight: 500; }
.status::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 50%; background: currentColor; }
.good { color: var(--good); }
.bad { color: var(--over-text); }
.facts, .basis { margin: 0; font-size: 0.875rem; }
.facts > div { display: flex; justify-content: space-between; gap: 16px; padding: 5px 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; text-align: right; }
.basis > div { display: grid; grid-template-columns: 9em 1fr; gap: 16px; padding: 5px 0; border-top: 1px solid var(--line); }
.basis dt { color: var(--muted); }
.basis dd { margin: 0; }

.sliders { display: grid; grid-template-columns: 1fr 1fr auto; gap: 8px 40px; align-items: end; margin: 0 0 28px; padding: 14px 18px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); }
.sliders[hidden] { display: none; }
.sliders p { margin: 0; font-size: 0.875rem; }
.sliders label { color: var(--muted); }
.sliders output { float: right; font-weight: 600; }
input[type="range"] { display: block; width: 100%; margin: 8px 0 2px; accent-color: var(--accent); }
button { padding: 5px 14px; border: 1px solid var(--line); border-radius: 7px; background: var(--button); color: var(--text); font: inherit; font-size: 0.8125rem; cursor: pointer; }
button:hover { border-color: var(--other); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; margin: 16px 0; padding: 0; list-style: none; color: var(--muted); font-size: 0.8125rem; }
.legend li { display: flex; align-items: center; gap: 6px; margin-right: 12px; }
.swatch { width: 14px; height: 10px; background: var(--accent); }
.swatch.over { background: var(--over); }
.swatch.line { height: 0; width: 20px; border-top: 1.5px dashed var(--over); background: none; }
.heat { display: block; width: 100%; height: 220px; background: var(--level-0); border: 1px solid var(--line); shape-rendering: crispEdges; }
.level-0 { fill: var(--level-0); } .level-1 { fill: var(--level-1); } .level-2 { fill: var(--level-2); }
.level-3 { fill: var(--level-3); } .level-4 { fill: var(--level-4); } .level-5 { fill: var(--level-5); }
.size { display: block; min-width: 90px; }
.size .limit { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 3 2; }
.hash { white-space: nowrap; font-size: 0.8125rem; }

details { margin: 0 0 10px; }
summary { padding: 4px 0; color: var(--accent); font-size: 0.875rem; cursor: pointer; }
details .scroll { max-height: 420px; overflow: auto; }
ul, ol { margin: 0 0 12px; padding-left: 1.4em; font-size: 0.9375rem; }
li { margin: 4px 0; }
ul.legend { padding: 0; font-size: 0.8125rem; }
.copyable { position: relative; }
.copyable button { position: absolute; top: 10px; right: 10px; }
pre { margin: 4px 0 8px; padding: 14px 90px 14px 18px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); font-size: 0.8125rem; line-height: 1.55; overflow-x: auto; }

@media (min-width: 761px) { #explored .status { min-height: 3em; } }
@media (max-width: 760px) {
  .kind { display: table; margin: 6px 0 0; }
  main, footer { padding-left: 18px; padding-right: 18px; }
  header { padding-top: 28px; }
  .pair { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .pair > figure + figure { margin-top: 28px; }
  .sliders { grid-template-columns: 1fr; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .tiles > div { padding: 12px 14px; }
  .tiles dd { font-size: 1.1875rem; }
  .bars { height: 132px; }
  .basis > div { grid-template-columns: 1fr; gap: 0; }
  pre { padding-right: 18px; padding-top: 46px; }
}
@media print {
  .sliders, .copyable button { display: none; }
  section, figure { break-inside: avoid; }
}
`
