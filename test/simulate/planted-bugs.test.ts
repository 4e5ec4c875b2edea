import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'

interface Planted {
  readonly file: string
  readonly from: string
  readonly what: string
}

test('every planted bug replaces a text that its file has once', async () => {
  const { PLANTED } = (await import(join(packageRoot, 'test/simulate/planted-bugs.mjs'))) as {
    PLANTED: readonly Planted[]
  }
  const lost = PLANTED.filter(
    ({ file, from }) => readFileSync(join(packageRoot, file), 'utf8').split(from).length !== 2,
  )
  expect(lost.map(({ file, what }) => `${file}: '${what}' replaces nothing: write its from anew`)).toEqual([])
})
