import { type Palette, type PaletteName, palettes, type Tone } from '../settings/index.js'

/** Page colours of one scheme, beside those of prices. */
const LIGHT = {
  page: '#f6f5f1',
  card: '#ffffff',
  ink: '#1c2126',
  muted: '#59626c',
  line: '#e3e1da',
  accent: '#2f5f8f',
  plain: '#eceae4',
}
const DARK = {
  page: '#13161a',
  card: '#1b1f24',
  ink: '#e7e9ec',
  muted: '#a0a9b3',
  line: '#31373e',
  accent: '#86b6e4',
  plain: '#2a3037',
}

/** The page's style sheet: no file, no font and no picture of another place. */
export function styleSheet(name: PaletteName): string {
  const palette = palettes[name]
  return `:root{color-scheme:light dark;${scheme(LIGHT, palette, 'light')}}
@media (prefers-color-scheme:dark){:root{${scheme(DARK, palette, 'dark')}}}
@media print{:root{color-scheme:light;${scheme({ ...LIGHT, page: '#ffffff' }, palette, 'light')}}}
${PAGE}${PARTS}${TABLES}${PAPER}`
}

function scheme(page: typeof LIGHT, palette: Palette, name: 'light' | 'dark'): string {
  const plain = Object.entries(page).map(([role, color]) => `--${role}:${color};`)
  const accent = `--accent-3:color-mix(in srgb,${page.accent} 46%,${page.card});`
  const tones = (Object.entries(palette[name]) as [Tone, string][]).flatMap(([tone, color]) => [
    `--${tone}:${color};`,
    ...[16, 30, 46].map(
      (part, index) => `--${tone}-${index + 1}:color-mix(in srgb,${color} ${part}%,${page.card});`,
    ),
  ])
  return [...plain, accent, ...tones].join('')
}

const PAGE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums lining-nums}
body>*{max-width:1008px;margin-inline:auto;padding-inline:24px}
h1,h2,h3{line-height:1.2;font-weight:650;letter-spacing:-.012em;margin:0}
h1{font-size:2.1rem}h2{font-size:1.45rem}h3{font-size:1.05rem}
p{margin:.35em 0 0;max-width:72ch}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.top{padding-block:44px 8px}
.top .brand{font-size:.86rem;font-weight:600;letter-spacing:.02em;color:var(--accent);margin:0 0 6px}
.top .when{color:var(--muted)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:14px 0 0;font-size:.93rem}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
main{padding-block:20px 8px}
section{margin-top:52px}
section>header{margin-bottom:18px}
.lead,.nothing,small,.why,.legend,footer{color:var(--muted)}
small,.why{font-size:.84rem}
ul{padding-left:1.2em}
footer{margin-top:64px;padding-block:20px 48px;border-top:1px solid var(--line);font-size:.88rem}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`

const PARTS = `
.conclusion{display:flex;gap:22px;margin-top:12px;padding:28px;background:var(--card);border:1px solid var(--line);border-radius:14px;border-left:6px solid var(--up)}
.conclusion.attention{border-left-color:var(--reference)}.conclusion.failed,.conclusion.stopped{border-left-color:var(--down)}
.conclusion .reasons{margin:4px 0 0;padding-left:20px}
.conclusion>div:last-child{min-width:0;flex:1}
.sign{flex:none;width:44px;height:44px;border-radius:50%;display:grid;place-items:center;font-size:1.4rem;font-weight:700;background:var(--up-2);color:var(--ink)}
.attention .sign{background:var(--reference-2)}.failed .sign{background:var(--down-2)}
.answers{margin:16px 0 0;display:grid;gap:10px}
.answers>div{display:grid;grid-template-columns:9.5em 1fr;gap:12px}
.answers dt{color:var(--muted)}.answers dd{margin:0;min-width:0}
.no{text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:.2em}
.next{margin:0;padding-left:1.2em}.next li+li{margin-top:6px}
.command{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;background:var(--plain);border-radius:5px;padding:2px 7px;overflow-wrap:anywhere;user-select:all;-webkit-box-decoration-break:clone;box-decoration-break:clone}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:14px;margin:16px 0 22px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 18px}
.tile dt{color:var(--muted);font-size:.88rem}
.tile dd{margin:2px 0 0;font-size:1.5rem;font-weight:620;letter-spacing:-.015em;line-height:1.25}
.tile small{display:block;font-weight:400;letter-spacing:0;line-height:1.45;margin-top:4px}
.tone{font-weight:600;white-space:nowrap}
.tone.up{color:var(--up)}.tone.down{color:var(--down)}.tone.ceiling{color:var(--ceiling)}.tone.floor{color:var(--floor)}.tone.reference{color:var(--reference)}
figure,.account{margin:26px 0 0;padding:22px 24px;background:var(--card);border:1px solid var(--line);border-radius:14px}
figcaption p,.account>p{color:var(--muted)}
.account figure,.account .tile{background:none}
.account>.warning{color:var(--ink);border-left:6px solid var(--reference);background:var(--plain);border-radius:6px;padding:8px 14px;margin-top:12px;max-width:none}
.account>.warning.bad{border-left-color:var(--down)}
.account figure{border:0;padding:0;margin-top:18px}
.drawing{margin-top:14px}.drawing svg{display:block;width:100%;height:auto}
.narrow,.sideways{display:none}
details{margin-top:14px}summary{cursor:pointer;color:var(--accent);font-size:.9rem;width:fit-content}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:14px 28px;align-items:start}
.badge{display:inline-block;font-size:.78rem;font-weight:600;letter-spacing:.01em;border:1px solid var(--line);border-radius:99px;padding:1px 10px;background:var(--plain);vertical-align:.1em}
.findings{display:grid;gap:12px;margin-top:18px}
.finding{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--reference);border-radius:10px;padding:16px 20px;overflow-wrap:anywhere}
.finding.break{border-left-color:var(--down)}
.finding h3{font-size:1rem;font-weight:600}
section>h3,.account>h3,section>ul+h3{margin-top:30px}
.account>h3{margin-top:0}
`

const TABLES = `
.scroll{position:relative;overflow-x:auto;margin-top:12px;border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.4}
caption{text-align:left;color:var(--muted);font-size:.86rem;padding:2px 0 6px}
caption span{display:inline-block;position:sticky;left:0;max-width:min(72ch,100vw - 64px)}
th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{color:var(--muted);font-size:.82rem;vertical-align:bottom}
tbody th{font-weight:600;white-space:nowrap}
td{overflow-wrap:break-word;max-width:34ch}
.figure{text-align:right;white-space:nowrap}
td:last-child,th:last-child{padding-right:2px}
tbody tr:last-child>*{border-bottom:0}
.map{width:auto}.map td,.map thead th{text-align:center;padding:5px 2px;white-space:nowrap;min-width:40px}
.map thead th{font-size:.7rem;line-height:1.25}
.map thead th:first-child{text-align:left}
.map abbr{text-decoration:none}.map b{display:block;font-size:.86rem;color:var(--ink);font-weight:600}
.map tbody th{font-weight:500;padding-right:14px}
.map td{border:2px solid var(--page);border-radius:6px;font-size:.78rem;height:30px;vertical-align:middle}
.complete{background:var(--up-1)}.incomplete{background:var(--down-2)}.missing{background:var(--reference-2)}.refused{background:var(--plain)}.empty{background:var(--plain)}
.expiring{outline:2px solid var(--down);outline-offset:-3px}
.series{display:inline-block;width:14px;height:10px;border-radius:2px}
.written{max-width:72ch;overflow-wrap:anywhere}.written h3,.written h4{margin-top:1.4em}
.written blockquote{margin:.8em 0 0;padding-left:14px;border-left:3px solid var(--line);color:var(--muted)}
.written pre{overflow-x:auto;background:var(--plain);padding:10px 14px;border-radius:8px}.written hr{border:0;border-top:1px solid var(--line)}
.written+.scroll,.scroll+.written,.scroll+.scroll{margin-top:20px}section>.finding{margin-top:18px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:6px 20px;padding:0;margin:12px 0 0;font-size:.84rem}
.key{display:inline-block;min-width:22px;text-align:center;border-radius:5px;color:var(--ink);padding:0 4px}
`

/** A phone; and paper, which has neither links nor anything to unfold. */
const PAPER = `
@media (max-width:680px){
body>*{padding-inline:16px}.top{padding-top:26px}h1{font-size:1.6rem}
.conclusion{flex-direction:column;gap:14px;padding:20px}
.answers>div{grid-template-columns:1fr;gap:0}
.tiles{grid-template-columns:1fr 1fr;gap:10px}.tile{padding:12px 14px}.tile dd{font-size:1.22rem}
figure,.account{padding:18px 14px}.wide{display:none}
.rows thead{display:none}.rows,.rows tbody,.rows caption{display:block}
.rows tr{display:grid;grid-template-columns:1fr 1fr;gap:2px 14px;padding:8px 0;border-bottom:1px solid var(--line)}
.rows tr>*{border:0;padding:0;text-align:left;white-space:normal;overflow-wrap:anywhere;max-width:none}
.rows tbody th{grid-column:1/-1}
.rows td::before{content:attr(data-title) " ";color:var(--muted);font-size:.82rem}
.sideways{display:inline}.map tbody th,.map thead th:first-child{position:sticky;left:0;background:var(--page)}.narrow{display:block}
section{margin-top:40px}
}
@media print{
body{font-size:10.5pt}body>*{max-width:none;padding-inline:0}
nav,.scroll:focus-visible{outline:0}nav,details{display:none}
.top{padding-top:0}section{margin-top:26px}.tiles{grid-template-columns:repeat(4,1fr)}.tile{padding:10px 14px}.tile dd{font-size:1.2rem}
.conclusion,.tile,figure,.account,.finding{break-inside:avoid;box-shadow:none}
.account{break-inside:auto}
h2,h3,caption{break-after:avoid}tr{break-inside:avoid}
.scroll{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
@page{margin:14mm 13mm}
}
`
