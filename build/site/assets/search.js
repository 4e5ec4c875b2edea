/** Search over the sections of all pages, in the browser: the index is a file of the site. */
import MiniSearch from 'minisearch'
import { INDEX_OPTIONS } from '../search-options.mjs'

const MOST = 30

const field = document.getElementById('search')
const list = document.getElementById('found')
const { root } = document.body.dataset
let index

/** A script rather than a request: so it works from a folder, too. */
function loadIndex() {
  index ??= new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = `${root}assets/search-index.js`
    script.addEventListener('load', () => resolve(MiniSearch.loadJSON(globalThis.searchIndex, INDEX_OPTIONS)))
    document.head.append(script)
  })
  return index
}

function itemOf({ title, heading, address }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${root}${address}`
  link.textContent = heading === title ? title : `${title}: ${heading}`
  item.append(link)
  return item
}

async function search() {
  const words = field.value.trim()
  list.hidden = words === ''
  if (words === '') return list.replaceChildren()
  const found = (await loadIndex()).search(words, {
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
    boost: { heading: 3, title: 2 },
  })
  if (field.value.trim() !== words) return
  const count = document.createElement('p')
  count.textContent = found.length === 0 ? 'Nothing has these words.' : `${found.length} places`
  const items = document.createElement('ul')
  items.append(...found.slice(0, MOST).map(itemOf))
  list.replaceChildren(count, items)
}

field.addEventListener('input', search)
// Typed while this script was on its way, or kept by the browser when the reader comes back.
if (field.value !== '') search()
field.form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
// A phone begins with the page, not with the list of pages.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details').open = false
