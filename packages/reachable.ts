import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

export interface Reachable {
  /** Modules that the entries import, directly or through others, the entries included; relative to the root. */
  files: string[]
  /** Names of the npm packages that these modules import. */
  imports: string[]
}

/**
 * Follows the imports of compiled modules and of their declarations.
 *
 * @param entries `.js` and `.d.ts` files, relative to `root`
 * @throws Error where a module imports a file that does not exist
 */
export function findReachable(root: string, entries: readonly string[]): Reachable {
  const files = new Set<string>()
  const imports = new Set<string>()
  const pending = [...entries]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (files.has(file)) continue
    if (!existsSync(join(root, file))) throw new Error(`${file} does not exist: run npm run build`)
    files.add(file)
    for (const name of importsOf(readFileSync(join(root, file), 'utf8'))) {
      if (name.startsWith('.')) pending.push(importedFile(file, name))
      else if (!isBuiltin(name)) imports.add(packageName(name))
    }
  }
  return { files: [...files].sort(), imports: [...imports].sort() }
}

function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** The file that an import names: a declaration imports declarations. */
function importedFile(importer: string, name: string): string {
  const file = normalize(join(dirname(importer), name))
  return importer.endsWith('.d.ts') ? file.replace(/\.js$/, '.d.ts') : file
}

/** `fastify/lib/errors` is a module of `fastify`, `@duckdb/node-api/lib` one of `@duckdb/node-api`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
