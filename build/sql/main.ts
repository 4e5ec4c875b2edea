import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { writtenFiles } from './files.js'

/** Writes the files of `sql/` that come from the tables of fields: `make sql`. */
for (const [path, text] of writtenFiles()) writeFileSync(join(packageRoot, 'sql', path), text)
