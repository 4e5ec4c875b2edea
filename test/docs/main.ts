import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rulebookFiles } from '../../build/rulebook/files.js'
import { ORDER_TYPE_ERAS_FILE, orderTypeEras } from '../../build/rulebook/order-type-eras.js'
import { packageRoot } from '../../src/package.js'
import { withEmptyCatalog } from './catalog.js'
import { definitionsPage } from './definitions.js'
import { dictionary } from './dictionary.js'
import { lineage } from './lineage.js'
import { llmsPage } from './llms-page.js'
import { rulebookPage } from './rulebook-page.js'
import { rulesPage } from './rules-page.js'

/** Writes the generated pages of docs/ anew: `make docs`. */
writeFileSync(join(packageRoot, 'docs/dictionary.md'), await withEmptyCatalog(dictionary))
writeFileSync(join(packageRoot, 'docs/definitions.md'), await withEmptyCatalog(definitionsPage))
writeFileSync(join(packageRoot, 'docs/lineage.md'), lineage())
writeFileSync(join(packageRoot, 'docs/rulebook.md'), rulebookPage())
writeFileSync(join(packageRoot, ORDER_TYPE_ERAS_FILE), orderTypeEras())
for (const [name, text] of rulebookFiles()) writeFileSync(join(packageRoot, 'packages/rulebook', name), text)
writeFileSync(join(packageRoot, 'docs/rules.md'), rulesPage())
// Last: it reads the other pages.
writeFileSync(join(packageRoot, 'llms.txt'), llmsPage())
