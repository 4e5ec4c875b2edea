import { createHash } from 'node:crypto'
import { packageVersion } from '../../package.js'
import { html, trusted } from '../html.js'
import { type Draw, type Drawing, ROOMS, type Room } from './draw.js'

/** A drawing that a page has a place for. */
interface Placed {
  readonly room: Room
  readonly drawing: Drawing
  readonly digest: string
}

/** Drawings of the page that this process wrote last, by their digests: reports of several homes or days share some. */
let latest: ReadonlyMap<string, string> = new Map()

/**
 * The drawings of one page. The page is put together with a mark in the place of each, then `finish` puts them in: those
 * that the former page has already are taken from it. Drawing takes 0.5 CPU-seconds and the library another 0.1, and
 * after a night that changed nothing no drawing is another one.
 */
export class Drawings {
  private readonly placed: Placed[] = []

  readonly draw: Draw = (label, chart) => {
    const places = ROOMS.map((room) => {
      const drawing = chart(room)
      const digest = digestOf(room, drawing)
      const mark = trusted(markOf(this.placed.push({ room, drawing, digest }) - 1))
      const kind = room.isNarrow ? 'narrow' : 'wide'
      return html`<div class="drawing ${kind}" role="img" aria-label="${label}" data-drawing="${digest}">${mark}</div>`
    })
    return html`${places}`
  }

  /** @param former page whose drawings may be used again; empty for none */
  async finish(page: string, former: string): Promise<string> {
    const drawn = drawingsIn(former)
    const svgs: string[] = []
    for (const { room, drawing, digest } of this.placed) {
      const svg = drawn.get(digest) ?? latest.get(digest)
      svgs.push(svg ?? (await import('./svg.js')).svgOf(drawing, room))
    }
    latest = new Map(this.placed.map(({ digest }, index) => [digest, svgs[index] ?? '']))
    return page.replace(MARKS, (_, index: string) => svgs[Number(index)] ?? '')
  }
}

/** Text of data is escaped in a page, so no other comment is in it. */
const MARKS = /<!--drawing (\d+)-->/g

function markOf(index: number): string {
  return `<!--drawing ${index}-->`
}

/** Drawings of a page by their digests. */
function drawingsIn(page: string): ReadonlyMap<string, string> {
  const drawings = page.matchAll(/ data-drawing="([0-9a-f]+)">(<svg .*?<\/svg>)<\/div>/gs)
  return new Map([...drawings].map(([, digest = '', svg = '']) => [digest, svg]))
}

/** The same for two drawings that look the same. Functions without parameters are labels; others depend on these alone. */
function digestOf({ width }: Room, drawing: Drawing): string {
  const text = JSON.stringify([packageVersion, width, drawing], (_, value: unknown) => {
    if (typeof value !== 'function') return value
    return value.length === 0 ? (value() as unknown) : String(value)
  })
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
