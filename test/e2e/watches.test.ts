import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunSummary } from '../../src/night/summary.js'
import { cli } from '../support/program.js'
import { start } from './support/cli.js'
import { copyOfBoth, expectCode } from './support/nights.js'

test('a program that is killed while it notifies loses no row of a watch, and the next run has it with the same id', async () => {
  const cwd = await copyOfBoth()
  const file = join(cwd, 'data/sql/watches/closes.sql')
  const write = (symbols: string): void =>
    writeFileSync(
      file,
      `-- Closes\n-- key: symbol\nSELECT symbol, trading_date, close FROM market.daily_summary
       WHERE trading_date = mart.latest_session() AND symbol IN (${symbols})`,
    )
  const notify = (command: string) => ({
    cwd,
    env: { PATH: process.env.PATH, CANDLEHOUSE_NOTIFY_COMMAND: command },
  })
  const publish = async (command: string) => await cli(['publish', '--json'], notify(command))
  mkdirSync(join(cwd, 'data/sql/watches'), { recursive: true })
  write("'FPT'")
  expectCode(await cli(['publish'], { cwd }), 0)
  write("'FPT', 'HPG'")
  const killed = await start(['publish', '--json'], notify('cat > killed.json; kill -9 $PPID')).ended
  expect(killed.signal).toBe('SIGKILL')
  const ran = await publish('cat > got.json')
  expectCode(ran, 0)
  const watchesIn = (name: string): RunSummary['watches'] =>
    (JSON.parse(readFileSync(join(cwd, name), 'utf8')) as RunSummary).watches
  expect(watchesIn('got.json')).toMatchObject([
    {
      name: 'closes',
      rows: [
        {
          text: expect.stringContaining('symbol HPG, trading_date 2025-03-14'),
          trace: 'candlehouse trace market.daily_summary HPG 2025-03-14',
        },
      ],
    },
  ])
  expect(watchesIn('killed.json')).toEqual(watchesIn('got.json'))
  expectCode(await publish('cat > after.json'), 0)
  expect(existsSync(join(cwd, 'after.json'))).toBe(true)
  expect(watchesIn('after.json')).toBeUndefined()
})
