import { wayTo } from './site-pages.mjs'

const [WIDTH, GAP, ROW] = [250, 70, 34]

/** What a relation reads on the left, what reads it on the right; every box with a page leads to it. */
export function lineageDrawing({ name, address, reads, readers }, relationPages) {
  const rows = Math.max(1, reads.length, readers.length)
  const [height, middle] = [rows * ROW, (rows * ROW) / 2]
  const top = (index, count) => middle + (index - (count - 1) / 2) * ROW
  const left = reads.length > 0 ? WIDTH + GAP : 0
  const right = left + WIDTH + GAP
  const curve = (x1, y1, x2, y2) =>
    `<path d="M${x1} ${y1}C${x1 + GAP / 2} ${y1} ${x2 - GAP / 2} ${y2} ${x2} ${y2}"/>`
  const box = (label, x, y) => {
    const drawn = `<rect x="${x + 1}" y="${y - 13}" width="${WIDTH - 2}" height="26" rx="6"${label === name ? ' class="chosen"' : ''}/><text x="${x + 10}" y="${y + 5}">${label}</text>`
    const page = label === name ? undefined : relationPages.get(label)
    return page ? `<a href="${wayTo(address, page)}">${drawn}</a>` : `<g>${drawn}</g>`
  }
  const parts = [
    ...reads.map((_, index) => curve(WIDTH, top(index, reads.length), left, middle)),
    ...readers.map((_, index) => curve(left + WIDTH, middle, right, top(index, readers.length))),
    ...reads.map((each, index) => box(each, 0, top(index, reads.length))),
    box(name, left, middle),
    ...readers.map((each, index) => box(each, right, top(index, readers.length))),
  ]
  const width = readers.length > 0 ? right + WIDTH : left + WIDTH
  return `<figure class="scroll" tabindex="0"><svg class="lineage" width="${width}" height="${height}" role="group" aria-label="Lineage of ${name}: reads ${reads.length}, read by ${readers.length}">${parts.join('')}</svg></figure>`
}
