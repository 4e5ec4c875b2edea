import type { Effects } from '../effects.js'
import { bindOwnSql } from '../mine/bind.js'
import { problemLine } from '../mine/problem.js'
import { counted } from '../night/reasons.js'
import { type Diagnosis, note, ok } from './diagnosis.js'

/** The user's own views, as the next publication will find them; nothing where there are none. */
export async function examineOwnSql(home: string, effects: Effects): Promise<Diagnosis[]> {
  const { views, problems } = await bindOwnSql(home, effects)
  const [first] = problems
  if (first) {
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
    const meaning = 'Runs go on. Readers keep the version that was published last, where there is one.'
    return [note('own SQL', `${problemLine(first)}${more}`, meaning, 'candlehouse mine check')]
  }
  return views.length === 0 ? [] : [ok('own SQL', `${counted(views.length, 'view')} of your own`)]
}
