import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { cli, type Ran } from '../../support/program.js'
import { evening } from '../../support/published.js'

/** A working folder with a copy of a home that the test may change, and these files below it. */
export function folderWith(home: string, files: Record<string, string> = {}): string {
  const cwd = temporaryFolder()
  cpSync(home, join(cwd, 'data'), { recursive: true })
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
