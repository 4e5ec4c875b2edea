import type { Database } from './open.js'
import { sqlFile, sqlFiles } from './sqlfile.js'

/** Installs the strict parse macros of `sql/parse`; once per connection. */
export async function installParsers(database: Database): Promise<void> {
  await database.run(
    sqlFiles('parse')
      .map((name) => sqlFile(`parse/${name}`))
      .join('\n'),
  )
}
