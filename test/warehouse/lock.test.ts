import { once } from 'node:events'
import { join } from 'node:path'
import { LockedError, StorageError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { temporaryFolder } from '../support/folder.js'
import { openTestWarehouse } from '../support/landed.js'
import { startScript } from '../support/process.js'

const hold = new URL('../support/hold.ts', import.meta.url)

describe('a warehouse that another process holds', () => {
  test('is refused with exit 75, the pid that holds it and what to do; is free once that process has closed it, also for one that was refused', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    const { child } = await startScript(hold, [file])
    const error = await openWarehouse(file, systemEffects).then(
      (warehouse) => warehouse.close(),
      (caught: unknown) => caught,
    )
    expect(error).toBeInstanceOf(LockedError)
    expect(error).toMatchObject({
      exitCode: 75,
      message: `another run has locked ${file} (pid ${child.pid})`,
      hint: `wait until it ends, or stop it: kill ${child.pid}`,
    })
    // A refused open leaves nothing behind.
    await expect(openWarehouse(file, systemEffects)).rejects.toThrow(LockedError)
    child.stdin?.end()
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    ;(await openWarehouse(file, systemEffects)).close()
  })

  test('is free once that process is killed, and everything committed is there', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    const { child } = await startScript(hold, [file])
    child.kill('SIGKILL')
    await once(child, 'close')
    const warehouse = await openWarehouse(file, systemEffects)
    expect(await warehouse.rows('SELECT count(*) > 0 AS migrated FROM ops.migration')).toEqual([
      { migrated: true },
    ])
    warehouse.close()
  })
})

describe('a warehouse that this process holds', () => {
  test('cannot be opened a second time, and the first goes on', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await expect(openWarehouse(warehouse.file, systemEffects)).rejects.toThrow(StorageError)
    await expect(openWarehouse(warehouse.file, systemEffects)).rejects.toThrow('already open in this process')
    await warehouse.run("INSERT INTO ops.dirty_partition VALUES ('a', 'b')")
    expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([{ relation: 'a', partition: 'b' }])
  })

  test('stays locked against other processes after a second open was refused', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await expect(openWarehouse(warehouse.file, systemEffects)).rejects.toThrow(StorageError)
    await expect(startScript(hold, [warehouse.file])).rejects.toThrow(
      new RegExp(`LockedError.*pid ${process.pid}`),
    )
  })
})
