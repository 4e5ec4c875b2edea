import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'

/** Files that a step writes: their text, or what becomes of the text that is there. */
export type Changes = Readonly<Record<string, string | ((text: string) => string)>>

const FOLDERS = ['src', 'sql', 'jobs', 'data/reference', 'packages', 'docs', 'build', 'test', 'examples']
const SETTINGS = ['package.json', 'tsconfig.json', 'vitest.config.ts']
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

/** A copy of the repository that a walk may change. */
export class Copy {
  readonly folder = temporaryFolder()

  constructor() {
    for (const part of [...FOLDERS, ...SETTINGS, ...PAGES]) {
      cpSync(join(packageRoot, part), join(this.folder, part), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist|\.\w+)$/.test(path),
      })
    }
    symlinkSync(join(packageRoot, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** @throws Error where a text that a step replaces is not there any more */
  change(changes: Changes): void {
    for (const [path, change] of Object.entries(changes)) {
      const file = join(this.folder, path)
      const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
      const after = typeof change === 'string' ? change : change(before)
      if (after === before) throw new Error(`${path} does not have what the walk replaces`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, after)
    }
  }

  /** What a program of `node_modules` printed, whether it failed or not. */
  async run(program: string, args: readonly string[]): Promise<{ code: number; text: string }> {
    return await new Promise((resolve) => {
      const line = [join(this.folder, 'node_modules', program), ...args]
      const child = execFile(
        process.execPath,
        line,
        { cwd: this.folder, maxBuffer: 2 ** 26, env: { ...process.env, SOAK: '' } },
        (_, out, err) => {
          resolve({ code: child.exitCode ?? 1, text: stripVTControlCharacters(`${out}\n${err}`) })
        },
      )
    })
  }
}

/** Puts a line after the one that contains a text. */
export function lineAfter(text: string, line: string): (before: string) => string {
  return (before) => {
    const lines = before.split('\n')
    const at = lines.findIndex((each) => each.includes(text))
    return at < 0 ? before : [...lines.slice(0, at + 1), line, ...lines.slice(at + 1)].join('\n')
  }
}
