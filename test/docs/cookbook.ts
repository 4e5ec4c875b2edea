import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

export interface Recipe {
  /** `12. Which stocks …?` */
  readonly question: string
  readonly sql: string
}

/** The questions of docs/cookbook.md, each with its one statement. */
export function recipes(): Recipe[] {
  const page = readFileSync(join(packageRoot, 'docs/cookbook.md'), 'utf8')
  return page
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [question = ''] = part.split('\n')
      const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(part) ?? []
      return { question, sql: sql.trim() }
    })
}
