import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** Import and export declarations with a source, and calls of import() with a text; declarations of types alone are not. */
const DECLARATION = /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)\sfrom\s+)?'([^']+)'/gm
const CALL = /import\(\s*'([^']+)'\s*\)/g

/** A package or built-in module that a file reaches, and the file that imports it. */
export interface Reached {
  readonly name: string
  readonly by: string
}

const known = new Map<string, readonly string[]>()

/** Everything outside of this repository that a file imports, itself or through others. Paths are relative to the root. */
export function reachedBy(file: string): Reached[] {
  const reached: Reached[] = []
  const seen = new Set([file])
  for (const each of seen)
    for (const name of importsOf(each)) {
      if (!name.startsWith('.')) reached.push({ name, by: each })
      else {
        const path = normalize(join(dirname(each), name)).replace(/\.js$/, '.ts')
        if (path.endsWith('.ts') && existsSync(join(packageRoot, path))) seen.add(path)
      }
    }
  return reached
}

function importsOf(file: string): readonly string[] {
  const before = known.get(file)
  if (before) return before
  const text = readFileSync(join(packageRoot, file), 'utf8')
  const declared = [...text.matchAll(DECLARATION)].flatMap(([, clause = '', name = '']) =>
    typesAlone(clause) ? [] : [name],
  )
  const imports = [...declared, ...[...text.matchAll(CALL)].map(([, name = '']) => name)]
  known.set(file, imports)
  return imports
}

/** `{ type A, type B }`: the compiler leaves nothing of it. */
function typesAlone(clause: string): boolean {
  const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]
  if (names === undefined) return false
  return names
    .split(',')
    .filter((name) => name.trim())
    .every((name) => name.trim().startsWith('type '))
}
