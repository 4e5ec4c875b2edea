import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { cli, type Ran } from '../../support/program.js'
import { evening } from '../../support/published.js'

/**
 * The working folder of a shared home with these files of the user's own, and no others. It is no copy, which would have to be
 * published once more: what tests before have published stays, and watches that they have begun.
 */
export function folderWith(home: string, files: Record<string, string> = {}): string {
  const cwd = dirname(home)
  rmSync(join(home, 'sql'), { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) writeInHome(cwd, name, text)
  return cwd
}

export function writeInHome(cwd: string, name: string, text: string | Uint8Array): void {
  const file = join(cwd, 'data', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export async function run(cwd: string, ...args: string[]): Promise<Ran> {
  return await cli(args, { cwd, effects: evening() })
}

export async function rowsOf(cwd: string, statement: string): Promise<unknown[]> {
  const { code, stdout, stderr } = await run(cwd, 'sql', statement, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as unknown[]
}
