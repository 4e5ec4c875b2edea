import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { packPackage } from '../../build/pack.js'
import { rulebookFiles } from '../../build/rulebook/files.js'
import type { Rulebook } from '../../build/rulebook/schema.js'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'

const fileOf = (name: string): string => readFileSync(join(packageRoot, 'packages/rulebook', name), 'utf8')
const rulebook = JSON.parse(fileOf('rulebook.json')) as Rulebook

test.each([...rulebookFiles()])(
  'packages/rulebook/%s is that of data/reference: make docs writes it anew',
  (name, text) => {
    expect(fileOf(name)).toBe(text)
  },
)

test('rulebook.json is valid by its schema, as another program reads both', () => {
  const validate = new Ajv2020({ strict: true }).compile(JSON.parse(fileOf('rulebook.schema.json')))
  expect(validate(rulebook), JSON.stringify(validate.errors)).toBe(true)
  const wrong = { ...rulebook, ticks: [{ ...rulebook.ticks[0], tick: 0 }] }
  expect(validate(wrong)).toBe(false)
  expect(validate({ ...rulebook, phases: [{ ...rulebook.phases[0], starts: '9:00' }] })).toBe(false)
  expect(validate({ ...rulebook, more: [] })).toBe(false)
})

test('the package holds the two files, and depends on nothing', () => {
  const tarball = packPackage(join(packageRoot, 'packages/rulebook'), temporaryFolder())
  expect(tarball.files.sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'rulebook.json',
    'rulebook.schema.json',
  ])
  expect(tarball.manifest.dependencies).toEqual({})
})

test('the example of its guide answers', () => {
  const day = '2025-10-15'
  const band = rulebook.rules.find(
    ({ rule, scope, valid_from, valid_to }) =>
      rule === 'price_band' && scope === 'DERIVATIVE/VN100' && valid_from <= day && (valid_to ?? day) >= day,
  )
  expect(band?.value).toBe('7')
})
