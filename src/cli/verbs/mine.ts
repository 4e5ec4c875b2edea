import { counted } from 'candlehouse-foundation/number-text'
import { Argument, Command } from 'commander'
import type { OwnCheck } from '../../mine/check-own-sql.js'
import { KINDS, type NewKind } from '../../mine/new-kinds.js'
import { problemLine } from '../../mine/problem.js'
import { columnsOf, renderTable } from '../render/table.js'
import type { NewVerb } from '../verb.js'

/** Exit code for files of the user's own that do not work. */
const BROKEN = 2

export function mineVerb(verb: NewVerb): Command {
  const check = verb(
    'check',
    'Try your own SQL without a run: bind it, run its cases, count its rows, run your pages',
  ).reads(async (call) => {
    const { checkOwnSql } = await import('../../mine/check-own-sql.js')
    const checked = await checkOwnSql(call.settings.home, call.signal, call.effects)
    await call.answer(checked, () => renderCheck(checked))
    if (checked.problems.length > 0) call.endWith(BROKEN)
  })
  const create = verb('new', 'Write a commented view, table, rule, watch or page to begin with')
    .addArgument(new Argument('<kind>', 'what to write').choices(KINDS))
    .argument(
      '<name>',
      'its name: small letters, digits and _; of a watch also that of a shipped one, such as volume_spike',
    )
    .reads(async (call, kind: NewKind, name: string) => {
      const { writeNewFile } = await import('../../mine/new-file.js')
      const file = await writeNewFile(call.settings.home, kind, name, call.effects)
      await call.answer({ file }, () => `${file} written\ncandlehouse mine check`)
    })
  return new Command('mine')
    .description('SQL and pages of your own, which every publication gives to all readers')
    .addCommand(check)
    .addCommand(create)
}

const COLUMNS = columnsOf('relation', 'kind', '#columns', '#rows', '#ms', 'about')

const PAGE_COLUMNS = columnsOf('page', '#blocks', '#ms', 'title')

function renderCheck({ relations, pages, cases, problems }: OwnCheck): string {
  if (relations.length + pages.length + problems.length === 0)
    return 'no SQL of your own yet; to begin with a view: candlehouse mine new view my_stocks'
  const rows = relations.map(({ kind, name, columns, rows: found, ms, comment }) => [
    `mine.${name}`,
    kind,
    String(columns),
    found === undefined ? 'not published' : found.toLocaleString('en-US'),
    ms === undefined ? '' : ms.toFixed(0),
    comment,
  ])
  const held = cases.filter(({ problem }) => problem === undefined).length
  return [
    ...(rows.length > 0 ? [renderTable(COLUMNS, rows)] : []),
    ...(pages.length > 0 ? [renderTable(PAGE_COLUMNS, pages.map(pageCells))] : []),
    ...(cases.length > 0 ? [`${held} of ${counted(cases.length, 'case')} as expected`] : []),
    ...problems.map((problem) => `! ${problemLine(problem)}`),
    problems.length > 0 ? counted(problems.length, 'problem') : 'readers get them with: candlehouse publish',
  ].join('\n')
}

function pageCells({ name, blocks, ms, title }: OwnCheck['pages'][number]): string[] {
  return [name, String(blocks), ms === undefined ? 'not published' : ms.toFixed(0), title]
}
