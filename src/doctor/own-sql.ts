import { bindOwnSql } from '../mine/bounded-run.js'
import { problemLine } from '../mine/problem.js'
import { counted } from '../night/reasons.js'
import { type Diagnosis, note, ok } from './diagnosis.js'

/** The user's own views, as the next publication will find them; nothing where there are none. */
export async function examineOwnSql(home: string): Promise<Diagnosis[]> {
  const { own, problems } = await bindOwnSql(home)
  const [first] = problems
  if (first) {
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
    const meaning = 'Runs go on. Readers keep the version that was published last, where there is one.'
    return [note('own SQL', `${problemLine(first)}${more}`, meaning, 'candlehouse mine check')]
  }
  if (own.length === 0) return []
  const kinds = ['view', 'table'] as const
  const numbers = kinds.flatMap((kind) => {
    const number = own.filter((each) => each.kind === kind).length
    return number === 0 ? [] : [counted(number, kind)]
  })
  return [ok('own SQL', `${numbers.join(' and ')} of your own`)]
}
