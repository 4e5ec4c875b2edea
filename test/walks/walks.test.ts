import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'
import { Copy } from './copy.js'
import { WALKS } from './walks.js'

const [, ...recipes] = readFileSync(join(packageRoot, 'CONTRIBUTING.md'), 'utf8').split(/^## (?=To add )/m)

/** Paths that a recipe names in full. `NAME` and `NN` stand for what the reader chooses. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`((?:src|sql|test|packages|docs|build)\/[^`\s]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/NAME|NN/.test(path))

describe.each(
  recipes.map((text) => [text.slice(0, text.indexOf('\n')), text.split(/^## /m)[0] ?? ''] as const),
)('the recipe "%s"', (heading, text) => {
  test('names files and folders that exist', () => {
    const missing = pathsOf(text).filter(
      (path) => !['', '.ts', '.test.ts', '.sql'].some((end) => existsSync(join(packageRoot, path + end))),
    )
    expect(missing.map((path) => `${path} does not exist: name what took its place`)).toEqual([])
  })

  test.runIf(LONG && WALKS[heading])(
    'leads on as it says, followed in a copy of the repository',
    async () => {
      const copy = new Copy()
      for (const { changes, commands = [], tests, leads } of WALKS[heading] ?? []) {
        copy.change(changes)
        const ran = []
        for (const [program, ...args] of commands) ran.push(await copy.run(program, args))
        const projects = ['--project', 'pure', '--project', 'duckdb']
        ran.push(await copy.run('vitest/vitest.mjs', ['run', ...projects, ...tests]))
        const printed = ran.map((each) => each.text).join('\n')
        if (leads.length === 0)
          expect([ran.map(({ code }) => code), printed]).toEqual([ran.map(() => 0), printed])
        for (const lead of leads) expect(printed).toContain(lead)
      }
    },
  )
})
