import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TonightView } from '../../src/console/tonight.js'
import { ProgressFile } from '../../src/night/progress.js'
import { fakeEffects } from '../support/effects.js'
import { sharedHome } from '../support/shared-home.js'

const kept = sharedHome()

const SILENT = { phase: () => undefined, advance: () => undefined, done: () => undefined }

/** What of a run's summary says which run it is. */
const ended = (tradingDate: string): string => JSON.stringify({ job: 'nightly', tradingDate })

test('a run that ends while its state is read is under way or ended, never the run before', async () => {
  const { home } = kept
  const effects = fakeEffects(Date.parse('2025-03-14T11:00:00Z'))
  mkdirSync(join(home, 'logs'), { recursive: true })
  const write = (tradingDate: string): void => {
    for (const name of ['last-nightly.json', 'last-run.json']) {
      const path = join(home, 'logs', name)
      writeFileSync(path, ended(tradingDate))
      // The clock of a file system moves on every few milliseconds.
      utimesSync(path, new Date(tradingDate), new Date(tradingDate))
    }
  }
  write('2025-03-13')
  const run = { job: 'nightly', tradingDate: '2025-03-14', startedAt: effects.now() }
  const file = new ProgressFile(home, run, SILENT, effects)
  file.phase('publish')
  const view = new TonightView(home, effects, async () => [])
  const reading = view.read()
  write('2025-03-14')
  file.close()
  expect(await reading).toMatchObject({ progress: { tradingDate: '2025-03-14' } })
  expect(await view.read()).toMatchObject({
    progress: null,
    runs: { nightly: { tradingDate: '2025-03-14' } },
  })
})
