import { wayTo } from './site-pages.mjs'

const escaped = (text) =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])

/** A page around its content. Nothing of it is fetched from another host. */
export function layout({ title, address, content, parts }) {
  const way = (to) => wayTo(address, to)
  const link = (each) =>
    `<li><a href="${way(each.address)}"${each.address === address ? ' aria-current="page"' : ''}>${escaped(each.title)}</a></li>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · candlehouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${way('assets/site.css')}">
<script defer src="${way('assets/search.js')}"></script>
</head>
<body data-root="${way('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="brand" href="${way('index.html')}">candlehouse</a>
<form role="search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" aria-controls="found"></form>
</header>
<div id="found" role="status" hidden></div>
<div class="sides">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${parts.map((part) => `<h2>${escaped(part.title)}</h2><ul>${part.links.map(link).join('')}</ul>`).join('\n')}
</details></nav>
<main id="main" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`
}
