import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldColumns } from 'candlehouse-foundation/fields/field'
import { FIELD_TYPES } from 'candlehouse-foundation/fields/field-type'
import { describe, expect, test } from 'vitest'
import { writtenFiles } from '../../build/sql/files.js'
import { packageRoot } from '../../src/package.js'
import { DATASETS, type DatasetName, datasets } from '../../src/plan/datasets.js'

const textOf = (path: string): string => readFileSync(join(packageRoot, 'sql', path), 'utf8')

describe('SQL that comes from the tables of fields', () => {
  test.each([...writtenFiles()])('sql/%s is what they give: make sql writes it anew', (path, text) => {
    expect(textOf(path)).toBe(text)
  })

  test('drift of every dataset of the service is reported', () => {
    const sql = textOf('warehouse/drifted_fields.sql')
    const fetched = DATASETS.filter((name) => datasets[name].stage !== null)
    expect(fetched.filter((name) => !sql.includes(`'${name}'`))).toEqual([])
  })

  // Bars have a way of their own to their time, and a user's file has rules that no dataset of the service has.
  test.each<DatasetName>(['ohlc', 'corporateActions'])(
    'sql/load/%s.sql, by hand, reads each field',
    (name) => {
      const sql = textOf(`load/${name}.sql`)
      const unread = fieldColumns(datasets[name].table).filter(({ name: field, column, field: { type } }) => {
        const { parser } = FIELD_TYPES[type]
        const isTyped = parser === null ? sql.includes(`r.${field}`) : sql.includes(`${parser}(r.${field})`)
        return !isTyped || !new RegExp(`\\b${column}\\b`).test(sql.slice(sql.lastIndexOf('SELECT')))
      })
      expect(unread).toEqual([])
    },
  )
})
