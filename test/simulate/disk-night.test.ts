import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eveningClock, runNight, service, sessionOf } from '../e2e/proportion/support/world.js'
import { hashes } from '../e2e/support/hashes.js'
import { expectCode } from '../e2e/support/nights.js'
import { seeded } from '../e2e/support/seeded.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { SimulatedDisk } from './disk.js'

/** In short: simulate.test.ts, whose nights are on this disk and lose power. */
test.runIf(LONG)(
  'a night on the simulated disk is the same night, and nothing of it is lost by a power cut after it',
  async () => {
    const [ordinary, simulated] = [temporaryFolder(), temporaryFolder()]
    expectCode(await runNight(await service(1), ordinary, 1), 0)
    const kinds = new Set<string>()
    const disk = new SimulatedDisk({ onStep: ({ kind }) => void kinds.add(kind) })
    onEnd(() => disk.close())
    const effects = { ...eveningClock(sessionOf(1)), disk }
    expectCode(await runNight(await service(1), simulated, 1, { effects, writesReport: true }), 0)
    const expected = await hashes(ordinary)
    expect(await hashes(simulated)).toEqual(expected)
    expect([...kinds].sort()).toEqual(
      [
        'append',
        'copy',
        'create',
        'link',
        'makeFolder',
        'remove',
        'rename',
        'setMode',
        'syncData',
        'syncFile',
        'syncFolder',
        'write',
      ].sort(),
    )

    const home = join(simulated, 'data')
    const copy = join(simulated, 'copy')
    const lost = disk.powerLoss(home, copy, seeded(1))
    // A catalog names its files by absolute path.
    rmSync(home, { recursive: true })
    renameSync(copy, home)
    expect(await hashes(simulated)).toEqual(expected)
    // Temporary files, and what is written for the moment.
    expect(lost.filter((each) => !/\.tmp|progress\.json/.test(each))).toEqual([])
  },
)
