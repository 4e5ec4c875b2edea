import { counted, isNumberType } from 'candlehouse-foundation/number-text'
import { type ComponentChild, createElement } from 'preact'
import type { OwnPage, PageBlock, PageNode, PagePart } from '../../mine/own-pages/own-page.js'
import type { OwnProblem } from '../../mine/problem.js'
import { chartModel, namedChoice } from '../../read/chart-model.js'
import { roundedCell } from '../../read/shown-cell.js'
import { type Column, get, post, type Table } from './api.js'
import { Command, Failure } from './command.js'
import { DataTable } from './data-table.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { NotLoaded } from './not-loaded.js'
import { Plot } from './sql/result-chart.js'

/** Rows that a table shows: the SQL page has all of them. */
const TABLE_ROWS = 200

/** Points of a chart: more than a screen has pixels. */
const CHART_ROWS = 20_000

interface PageList {
  pages: OwnPage[]
  problems: OwnProblem[]
}

/** A page that the user has written: `#/page/NAME`. */
export function OwnPageView({ words: [name = ''] }: { words: readonly string[] }) {
  const { value, error } = useLoaded(() => get<PageList>('/api/pages'), [])
  if (!value) return <NotLoaded title="Own pages" error={error} />
  const page = value.pages.find((each) => each.name === name)
  return (
    <>
      <h1>{page?.title ?? 'Own pages'}</h1>
      {page ? page.parts.map((part, index) => <Part key={index} page={page} part={part} />) : null}
      {!page && name !== '' && <NoSuch what="own page" name={name} shown="all of them" />}
      {!page && <OwnPageList list={value} />}
    </>
  )
}

function OwnPageList({ list: { pages, problems } }: { list: PageList }) {
  return (
    <>
      <ul>
        {pages.map(({ name, title }) => (
          <li key={name}>
            <a href={`#/page/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
      {problems.map(({ file, wrong, next }) => (
        <Failure key={file} error={Object.assign(new Error(`${file}: ${wrong}`), { hint: next })} />
      ))}
      <p class="quiet">A page is a file of the home, sql/pages/NAME.md. To begin with one:</p>
      <Command text="candlehouse mine new page my_page" />
    </>
  )
}

function Part({ page, part }: { page: OwnPage; part: PagePart }) {
  if (part.kind === 'text') return <div class="written">{part.nodes.map(drawn)}</div>
  if (part.kind === 'wrong')
    return <Failure error={new Error(`sql/pages/${page.name}.md:${part.line}: ${part.words}`)} />
  return <Block block={part.block} place={`sql/pages/${page.name}.md:${part.block.line}`} />
}

/** Only the tags of `PageTag` come here, and text is text. */
function drawn(node: PageNode): ComponentChild {
  if (typeof node === 'string') return node
  const { tag, href, children } = node
  const isOutside = href !== undefined && !href.startsWith('#')
  const link = {
    ...(href === undefined ? {} : { href }),
    ...(isOutside ? { rel: 'noreferrer', target: '_blank' } : {}),
  }
  return createElement(tag, link, ...children.map(drawn))
}

function Block({ block, place }: { block: PageBlock; place: string }) {
  const { value, error } = useBlockRows(block)
  return (
    <div class="card own-block">
      {error ? (
        <>
          <p class="quiet">{place}</p>
          <Failure error={error} />
        </>
      ) : value ? (
        <BlockResult block={block} result={value} />
      ) : (
        <p class="quiet">Loading…</p>
      )}
      <p>
        <a href={`#/sql?q=${encodeURIComponent(block.sql)}`}>Ask it with SQL</a>
      </p>
    </div>
  )
}

type Answer = Table & { truncated: boolean }

/** The rows of a block. A page that is left stops its statements. */
function useBlockRows({ sql, shownAs }: PageBlock) {
  const limit = shownAs === 'chart' ? CHART_ROWS : TABLE_ROWS
  return useLoaded((gone) => post<Answer>('/api/sql', { sql, limit }, gone), [sql, limit])
}

interface ResultProps {
  block: PageBlock
  result: Answer
}

function BlockResult({ block, result: { columns, rows, truncated } }: ResultProps) {
  const { title } = block
  const more = truncated ? [`The first ${counted(rows.length, 'row')}.`] : []
  const table = (
    <Rows
      title={title}
      columns={columns}
      rows={rows.slice(0, TABLE_ROWS)}
      hasTitle={block.shownAs === 'table'}
    />
  )
  if (block.shownAs === 'table' || rows.length === 0)
    return (
      <>
        {table}
        {more.length > 0 && <p class="quiet">{more.join(' ')}</p>}
      </>
    )
  const choice = namedChoice(columns, rows, block)
  if (typeof choice === 'string') return <Failure error={new Error(choice)} />
  const model = chartModel(columns, rows, choice)
  const remarks = [...more, ...model.remarks]
  return (
    <>
      <h2>{title}</h2>
      <Plot model={model} over={columns[choice.over]} />
      {remarks.length > 0 && <p class="quiet">{remarks.join(' ')}</p>}
      <details>
        <summary>Rows as a table</summary>
        {table}
      </details>
    </>
  )
}

interface RowsProps {
  title: string
  columns: readonly Column[]
  rows: readonly unknown[][]
  hasTitle: boolean
}

function Rows({ title, columns, rows, hasTitle }: RowsProps) {
  return (
    <DataTable
      caption={title}
      hideCaption={!hasTitle}
      isBlocks
      rows={rows}
      empty={`${title}: no rows.`}
      columns={columns.map((column, index) => ({
        title: column.name.replaceAll('_', ' '),
        isNumber: isNumberType(column.type),
        cell: (row: readonly unknown[]) => (row[index] === null ? '' : roundedCell(row[index], column)),
      }))}
    />
  )
}
