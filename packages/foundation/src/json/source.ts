import { elementsAt, membersAt } from './members.js'
import { provePage } from './page.js'
import { skipSpace } from './scan.js'

/**
 * Source texts of the records of a page: of the array at its top, or in its `data` in any case; none where there is none.
 *
 * @throws JsonFault where the page is not proven
 */
export function recordTexts(page: Buffer): string[] {
  const { list } = provePage(page)
  return list ? elementsOf(page, list.start - 1) : []
}

/** Source texts of the elements of a JSON text that is an array. @throws JsonFault */
export function elementTexts(text: string): string[] {
  return elementsOf(Buffer.from(text), 0)
}

/** Names and source texts of the members of a JSON text that is an object. @throws JsonFault */
export function memberTexts(text: string): [name: string, value: string][] {
  const bytes = Buffer.from(text)
  return [...membersAt(bytes, skipSpace(bytes, 0))].map(({ name, start, end }) => [
    name,
    bytes.toString('utf8', start, end),
  ])
}

function elementsOf(bytes: Buffer, at: number): string[] {
  return [...elementsAt(bytes, skipSpace(bytes, at))].map(([start, end]) =>
    bytes.toString('utf8', start, end),
  )
}
