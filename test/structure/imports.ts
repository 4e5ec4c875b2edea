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

/** Files of our own packages by the names that modules import. */
const PATHS = (
  JSON.parse(readFileSync(join(packageRoot, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> }
  }
).compilerOptions.paths

const known = new Map<string, readonly string[]>()

/** Everything outside of this repository that a file imports, itself or through others. Paths are relative to the root. */
export function reachedBy(file: string): Reached[] {
  const reached: Reached[] = []
  const seen = new Set([file])
  for (const each of seen)
    for (const name of importsOf(each)) {
      const path = pathOf(name, each)
      if (path === undefined) reached.push({ name, by: each })
      else {
        if (path.endsWith('.ts') && existsSync(join(packageRoot, path))) seen.add(path)
      }
    }
  return reached
}

/** The file that a name stands for; undefined for a package of others and a built-in module. */
function pathOf(name: string, importer: string): string | undefined {
  if (name.startsWith('.')) return normalize(join(dirname(importer), name)).replace(/\.js$/, '.ts')
  const own = Object.entries(PATHS).find(([pattern]) =>
    new RegExp(`^${pattern.replace('*', '.+')}$`).test(name),
  )
  return own && normalize((own[1][0] ?? '').replace('*', name.slice(own[0].length - 1)))
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
