import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** Functions and constants that a file exports; constants in capitals belong to their module. */
export function exportedNames(path: string): string[] {
  const text = readFileSync(join(packageRoot, path), 'utf8')
  return [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => /[a-z]/.test(name))
}
