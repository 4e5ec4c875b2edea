import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readsOf } from '../mart/objects.js'
import { packageRoot } from '../package.js'

/** A question of the cookbook with its statement. */
export interface Recipe {
  readonly question: string
  readonly sql: string
  /** Relations and macros that the statement names, with their schema. */
  readonly reads: readonly string[]
}

let known: readonly Recipe[] | undefined

/** The text of a page of `docs/`. */
export function packagedPage(name: string): string {
  return readFileSync(join(packageRoot, 'docs', name), 'utf8')
}

/** The questions of the cookbook. */
export function recipes(): readonly Recipe[] {
  known ??= packagedPage('cookbook.md')
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [question = ''] = part.split('\n')
      const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(part) ?? []
      return { question, sql: sql.trim(), reads: readsOf(sql) }
    })
  return known
}

/** Parts of a page by the title of their second level, each with its title. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const [first = '', ...parts] = page.split(/^## /m)
  const sections = parts.map((part): [string, string] => [part.split('\n')[0]?.trim() ?? '', `## ${part}`])
  return new Map([['', first], ...sections])
}
