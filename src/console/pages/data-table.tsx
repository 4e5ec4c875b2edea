import type { ComponentChildren } from 'preact'

export interface TableColumn<R> {
  title: string
  /** Right-aligned, digits of one width. */
  isNumber?: boolean
  cell(row: R): ComponentChildren
  /** Where the title leads: to the same rows, sorted by this column. */
  sort?: { href: string; direction: 'ascending' | 'descending' | undefined }
}

interface Props<R> {
  caption: string
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  /** Shown where there are no rows. */
  empty?: string
  hideCaption?: boolean
  /** On a phone each row is a block, with the titles of its columns: none of many columns lies beyond the edge. */
  isBlocks?: boolean
}

const DATE = /^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/

/** Numbers and dates are never broken over two lines, and a zero is quiet: what is there stands out. */
function classOf(content: ComponentChildren, isNumber = false): string {
  if (isNumber) return content === '0' ? 'number zero' : 'number'
  return typeof content === 'string' && DATE.test(content) ? 'date' : ''
}

/** A table with its caption. It scrolls by itself, also by keyboard, where it is wider than the page. */
export function DataTable<R>({ caption, columns, rows, empty, hideCaption, isBlocks }: Props<R>) {
  if (rows.length === 0 && empty !== undefined) return <p class="quiet">{empty}</p>
  return (
    <section class="scroller" tabIndex={0} aria-label={caption}>
      <table class={isBlocks ? 'blocks' : ''}>
        <caption class={hideCaption ? 'hidden' : ''}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, sort }) => (
              <th
                key={title}
                scope="col"
                class={isNumber ? 'number' : ''}
                {...(sort?.direction ? { 'aria-sort': sort.direction } : {})}
              >
                {sort ? <SortLink title={title} {...sort} /> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ title, isNumber, cell }) => {
                const content = cell(row)
                return (
                  <td
                    key={title}
                    class={classOf(content, isNumber)}
                    {...(isBlocks ? { 'data-title': title } : {})}
                  >
                    {content}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const ARROWS = { ascending: '▲', descending: '▼' } as const

function SortLink({ title, href, direction }: { title: string } & NonNullable<TableColumn<never>['sort']>) {
  return (
    <a class="sort" href={href}>
      {title}
      <span aria-hidden="true">{direction ? ` ${ARROWS[direction]}` : ''}</span>
    </a>
  )
}
