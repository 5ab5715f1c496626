/** Styles of the page. Colors are defined twice: for light and for dark. */
export const PAGE_STYLES: string = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --raised: #ffffff; --text: #1c2126; --muted: #5a636b; --line: #e2dfd9; --track: #ebe8e2;
  --accent: #24639c; --accent-text: #ffffff; --danger: #a82a1d; --button: #f1efea; --chosen: #e4eef7; --border: #8a8f94;
  --level-0: #edf1f4; --level-1: #cfdfec; --level-2: #9fc0dd; --level-3: #4f87b8; --level-4: #e08a4f; --level-5: #c0392b; --outline: #55100a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --raised: #1b1f23; --text: #e7e9eb; --muted: #a3acb4; --line: #2d3338; --track: #23282d;
    --accent: #74aee0; --accent-text: #10202e; --danger: #ff9384; --button: #272d32; --chosen: #20364a; --border: #7b848c;
    --level-0: #1d2226; --level-1: #24384a; --level-2: #2f557a; --level-3: #4585bd; --level-4: #d98a4b; --level-5: #e0503f; --outline: #ffd2ca;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; background: var(--paper); color: var(--text);
  font: 15px/1.5 system-ui, Roboto, Helvetica, Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
code, pre, .code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.8125rem; }
code { overflow-wrap: anywhere; }
bdi { overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
small, .muted { color: var(--muted); }
.nowrap { white-space: nowrap; }

header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 24px; padding: 18px 32px 14px; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.0625rem; font-weight: 600; }
.status-line { margin: 0; color: var(--muted); font-size: 0.8125rem; }
.problem { margin: 0; padding: 10px 32px; background: var(--raised); border-bottom: 1px solid var(--line); color: var(--danger); }
.skip { position: absolute; left: -999px; padding: 8px 14px; background: var(--raised); }
.skip:focus { left: 8px; top: 8px; }
.frame { display: grid; grid-template-columns: 232px minmax(0, 1fr); }
.tree { padding: 20px 16px 32px 24px; border-right: 1px solid var(--line); min-height: calc(100vh - 58px); }
.tree h2 { margin: 0 0 6px 8px; color: var(--muted); font-size: 0.8125rem; font-weight: 500; }
.tree ul + h2, .tree p + ul + h2 { margin-top: 28px; }
.tree ul { margin: 0; padding: 0; list-style: none; }
.tree ul ul { margin: 0 0 10px; }
.tree p, .tree li.muted { margin: 0 8px; font-size: 0.875rem; }
.database { display: block; padding: 3px 8px; font-size: 0.875rem; font-weight: 600; }
.tree a { display: flex; justify-content: space-between; gap: 12px; padding: 4px 8px; border-radius: 6px; color: var(--text); font-size: 0.875rem; text-decoration: none; }
.tree a:hover { background: var(--button); }
.tree a[aria-current] { background: var(--chosen); font-weight: 600; }
.count:empty { display: none; }
.count { color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
main { padding: 24px 32px 64px; max-width: 1240px; min-width: 0; }
main:focus { outline: none; }
main.token { margin: 12vh auto; max-width: 560px; }
main.token h1 { margin-bottom: 12px; font-size: 1.25rem; }
h2 { margin: 0 0 12px; font-size: 1.25rem; font-weight: 600; overflow-wrap: anywhere; }
h3 { margin: 28px 0 8px; font-size: 1rem; font-weight: 600; }
h3:focus { outline: none; }
.lead { max-width: 50em; color: var(--muted); font-size: 0.875rem; text-wrap: pretty; }
.container-header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 4px 24px; margin-bottom: 20px; border-bottom: 1px solid var(--line); }
.container-header h2 { margin: 0 0 8px; }
.container-header h2 .muted { font-weight: 400; }
.tabs { display: flex; gap: 4px; margin-bottom: -1px; }
.tabs a { padding: 6px 14px 8px; border-bottom: 2px solid transparent; color: var(--muted); font-size: 0.9375rem; text-decoration: none; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { border-bottom-color: var(--accent); color: var(--text); font-weight: 600; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(136px, 1fr)); margin: 0 0 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); gap: 1px; overflow: hidden; }
.tiles > div { padding: 11px 13px 12px; min-width: 0; box-shadow: 0 0 0 1px var(--line); }
.tiles dt { color: var(--muted); font-size: 0.8125rem; }
.tiles dd { margin: 1px 0 0; font-size: 1.125rem; font-weight: 600; line-height: 1.35; }
.tiles dd.note { min-height: 1.35em; color: var(--muted); font-size: 0.8125rem; font-weight: 400; }

.heading-line { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 16px; }
.heading-line h3 { margin: 8px 0; }
.heat { display: block; width: 100%; height: 380px; cursor: crosshair; }
.axis-line { display: flex; justify-content: space-between; margin: 4px 102px 0 44px; color: var(--muted); font-size: 0.75rem; }
.cell { min-height: 1.5em; margin: 10px 0; font-size: 0.875rem; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 16px; padding: 0; list-style: none; color: var(--muted); font-size: 0.8125rem; }
.legend li { display: flex; align-items: center; gap: 6px; }
.swatch { width: 14px; height: 12px; border: 1px solid transparent; }
.swatch.level-0 { background: var(--level-0); border-color: var(--line); } .swatch.level-1 { background: var(--level-1); } .swatch.level-2 { background: var(--level-2); }
.swatch.level-3 { background: var(--level-3); } .swatch.level-4 { background: var(--level-4); } .swatch.level-5 { background: var(--level-5); }
.swatch.throttled { background: var(--level-5); border: 2px solid var(--outline); }

.actions, .row { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; margin: 0 0 14px; }
.row { align-items: flex-start; }
.row > button { margin-top: 22px; }
.field { display: block; min-width: 0; font-size: 0.8125rem; }
.field > span { display: block; margin-bottom: 2px; color: var(--muted); }
.field small { display: block; margin-top: 2px; font-size: 0.75rem; }
form > .field { margin-bottom: 12px; }
input, select, textarea, button { font: inherit; font-size: 0.875rem; color: var(--text); }
input, select, textarea { padding: 4px 8px; border: 1px solid var(--border); border-radius: 6px; background: var(--raised); max-width: 100%; }
input[type="checkbox"] { accent-color: var(--accent); margin: 0; }
input.short, input[type="number"] { width: 8.5em; }
input:not([type]), input[type="text"], input[type="password"] { width: 15em; }
input.short { width: 8.5em; }
textarea { display: block; width: 100%; resize: vertical; unicode-bidi: plaintext; }
textarea.code { font-size: 0.8125rem; line-height: 1.5; tab-size: 2; }
.row .field:has(textarea) { flex: 1 1 320px; }
button { min-height: 31px; padding: 3px 14px; border: 1px solid var(--line); border-radius: 7px; background: var(--button); font-size: 0.8125rem; cursor: pointer; white-space: nowrap; }
button:hover:not(:disabled) { border-color: var(--border); }
button:disabled { background: none; color: var(--muted); cursor: default; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
button.danger { color: var(--danger); }
button.link { min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); text-align: left; white-space: normal; text-decoration: underline; text-underline-offset: 2px; }
.cell-buttons { display: flex; gap: 6px; }
.cell-buttons button { min-height: 0; padding: 1px 8px; font-size: 0.75rem; }
.inline, .switch { display: inline-flex; align-items: center; gap: 8px; font-size: 0.875rem; }
.inline { color: var(--muted); }
.result { min-height: 1.5em; margin: 0 0 8px; font-size: 0.875rem; }
.result:empty { min-height: 0; margin: 0; }
.actions .result { margin: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

.scroll { overflow-x: auto; margin: 0 0 12px; }
table { border-collapse: collapse; width: 100%; font-size: 0.8125rem; line-height: 1.4; }
th, td { padding: 6px 14px 6px 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 400; }
.text { min-width: 5em; }
.number { text-align: right; white-space: nowrap; }
.preview { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; min-width: 18em; color: var(--muted); }
details { margin: 0 0 10px; }
summary { padding: 4px 0; color: var(--accent); font-size: 0.875rem; cursor: pointer; }
.panel { margin: 20px 0 0; padding: 4px 20px 10px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); }
.panel h3 { margin-top: 14px; }
.panel textarea { background: var(--paper); }
.rows { margin: 0 0 14px; padding-left: 3.2em; color: var(--muted); font-size: 0.8125rem; }
.rows li { margin: 0; border-top: 1px solid var(--line); }
.rows details { margin: 0; }
.rows summary { color: var(--text); }
.rows summary code { display: inline-block; max-width: calc(100% - 2em); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.rows pre { color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 8px; margin: 2px 0 10px; padding: 8px 14px; max-height: 420px; }
pre { margin: 0; line-height: 1.5; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
pre.unwrapped { white-space: pre; overflow-wrap: normal; }
pre.unwrapped bdi { overflow-wrap: normal; }

@media (max-width: 820px) {
  header { padding: 14px 16px 10px; }
  .frame { grid-template-columns: minmax(0, 1fr); }
  .tree { min-height: 0; padding: 12px 8px; border-right: 0; border-bottom: 1px solid var(--line); }
  .tree ul + h2 { margin-top: 12px; }
  .tree ul ul, .tree h2 + ul:last-of-type { display: flex; flex-wrap: wrap; }
  main { padding: 18px 16px 48px; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .heat { height: 320px; }
  input:not([type]), input[type="text"], input[type="password"] { width: 12em; }
}
`
