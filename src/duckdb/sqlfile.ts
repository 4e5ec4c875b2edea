import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package.js'

/** Files of the package do not change while it runs: a night reads 300 of them, most of them in every batch. */
const texts = new Map<string, string>()
const listings = new Map<string, readonly string[]>()

/** Text of `sql/<path>`; statements in it run as one. */
export function sqlFile(path: string): string {
  let text = texts.get(path)
  if (text === undefined) {
    text = readFileSync(join(packageRoot, 'sql', path), 'utf8')
    texts.set(path, text)
  }
  return text
}

/** Names in `sql/<folder>`, sorted: migrations and macros run in that order. */
export function sqlFiles(folder: string): readonly string[] {
  let names = listings.get(folder)
  if (!names) {
    names = readdirSync(join(packageRoot, 'sql', folder))
      .filter((name) => name.endsWith('.sql'))
      .sort()
    listings.set(folder, names)
  }
  return names
}

/** A string literal: for the statements of DuckDB that take no bound values (COPY, ATTACH, COMMENT). */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Text of `sql/<path>` with its named parts put in: `$name` becomes the part of that name. Comments stay as they are: a line end
 * inside a value (an account number of the service) would end the comment, and the rest of the value would run.
 *
 * @throws RangeError where the text names a part that is not given, or a part is given that it does not name
 */
export function sqlTemplate(path: string, parts: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(parts))
  const text = sqlFile(path).replaceAll(/--.*|\$([a-z]+(?:_[a-z]+)*)/g, (found, name?: string) => {
    if (name === undefined) return found
    const part = parts[name]
    if (part === undefined) throw new RangeError(`sql/${path}: no part is given for $${name}`)
    unused.delete(name)
    return part
  })
  if (unused.size > 0) throw new RangeError(`sql/${path} has no $${[...unused].join(', $')}`)
  return text
}
