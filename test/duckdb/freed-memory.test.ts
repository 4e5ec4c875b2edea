import { expect, test } from 'vitest'
import { FreedMemory } from '../../src/duckdb/freed-memory.js'

const MB = 2 ** 20

/** A connection that notes its statements, in a process that has so many megabytes before and after each of them. */
function processOf(megabytes: number): {
  set(megabytes: number): void
  memory: FreedMemory
  statements: string[]
} {
  let resident = megabytes * MB
  const statements: string[] = []
  const connection = {
    run: async (sql: string) => {
      statements.push(sql)
      resident = 220 * MB
    },
  }
  const memory = new FreedMemory(connection as never, '512MB', () => resident)
  return {
    set: (now) => {
      resident = now * MB
    },
    memory,
    statements,
  }
}

test('freed memory is given back when a process has gained much, with the limit as it is', async () => {
  const { set, memory, statements } = processOf(120)
  set(250)
  await memory.giveBack(1000)
  expect(statements, 'less than most runs have').toEqual([])
  set(260)
  await memory.giveBack(4)
  expect(statements, 'a short statement').toEqual([])
  await memory.giveBack(6)
  expect(statements).toEqual(["SET memory_limit = '512MB'"])
  set(265)
  await memory.giveBack(1000)
  expect(statements, 'little more than was left').toHaveLength(1)
  set(270)
  await memory.giveBack(1000)
  expect(statements).toHaveLength(2)
})

test('a process that is large already gives back what it gains', async () => {
  const { set, memory, statements } = processOf(900)
  set(940)
  await memory.giveBack(1000)
  expect(statements).toEqual([])
  set(950)
  await memory.giveBack(1000)
  expect(statements).toHaveLength(1)
})

test('no statement fails where memory cannot be given back', async () => {
  const refusing = { run: () => Promise.reject(new Error('Out of Memory Error')) }
  let calls = 0
  const memory = new FreedMemory(refusing as never, '512MB', () => (calls++ === 0 ? 0 : 400 * MB))
  await expect(memory.giveBack(1000)).resolves.toBeUndefined()
})
