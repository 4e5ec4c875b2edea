import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

export interface TextFile {
  /** Path from the root of the repository. */
  readonly path: string
  readonly text: string
}

const GENERATED = [
  'docs/definitions.md',
  'docs/dictionary.md',
  'docs/lineage.md',
  'docs/rulebook.md',
  'docs/rules.md',
]

/** Text files below these folders, or these files themselves; generated pages are not among them. */
export function textFiles(...paths: readonly string[]): TextFile[] {
  return paths
    .flatMap((path) => (/\.\w+$/.test(path) ? [path] : below(path)))
    .filter((path) => /\.(ts|mjs|cjs|sql|json|csv|md|sh|yml)$/.test(path) && !GENERATED.includes(path))
    .map((path) => ({ path, text: readFileSync(join(packageRoot, path), 'utf8') }))
}

function below(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? below(path) : [path]
  })
}

export function readText(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8')
}
