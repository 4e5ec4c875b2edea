import { counted } from 'candlehouse-foundation/number-text'
import { OwnProcess } from '../mine/own-process.js'
import { problemLine } from '../mine/problem.js'
import { type Diagnosis, note, ok } from './diagnosis.js'

/** The user's own views, as the next publication will find them; nothing where there are none. */
export async function examineOwnSql(home: string): Promise<Diagnosis[]> {
  await using apart = new OwnProcess()
  const { own, rules, watches, problems } = await apart.bind(home)
  const [first] = problems
  if (first) {
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
    const meaning = 'Runs go on. Readers keep the version that was published last, where there is one.'
    return [note('own SQL', `${problemLine(first)}${more}`, meaning, 'candlehouse mine check')]
  }
  const numberOf = (kind: 'view' | 'table'): number => own.filter((each) => each.kind === kind).length
  const counts = [
    [numberOf('view'), 'view', 'views'],
    [numberOf('table'), 'table', 'tables'],
    [rules.length, 'rule', 'rules'],
    [watches.length, 'watch', 'watches'],
  ] as const
  const words = counts.flatMap(([count, kind, kinds]) => (count === 0 ? [] : [counted(count, kind, kinds)]))
  return words.length === 0 ? [] : [ok('own SQL', `${words.join(', ')} of your own`)]
}
