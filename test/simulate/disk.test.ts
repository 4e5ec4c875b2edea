import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  appendLines,
  createFile,
  makeFolders,
  settleFiles,
  writeWholeFile,
  writeWholeFiles,
} from '../../src/home/files.js'
import { seeded } from '../e2e/support/seeded.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { Killed, refusal, SimulatedDisk, type SimulatedDiskOptions, type Step } from './disk.js'

const OPTIONS = { mode: 0o600, hint: 'free some space' }

function simulated(options?: SimulatedDiskOptions): SimulatedDisk {
  const disk = new SimulatedDisk(options)
  onEnd(() => disk.close())
  return disk
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** What each of many power cuts leaves of a file. */
function leftOf(disk: SimulatedDisk, folder: string, name: string, cuts = 40): Set<string | undefined> {
  const left = new Set<string | undefined>()
  for (let seed = 0; seed < cuts; seed++) {
    const copy = join(temporaryFolder(), 'copy')
    disk.powerLoss(folder, copy, seeded(seed))
    left.add(textOf(join(copy, name)))
  }
  return left
}

/** Runs work that is killed at each of its steps in turn, and looks at what power cuts leave then. */
async function atEveryStep(
  work: (disk: SimulatedDisk, folder: string) => Promise<void>,
  prepare: (folder: string) => void,
  look: (disk: SimulatedDisk, folder: string) => void,
): Promise<number> {
  for (let last = 0; ; last++) {
    const folder = temporaryFolder()
    prepare(folder)
    let count = 0
    const disk = simulated({
      onStep: (step) => {
        if (count++ === last) throw new Killed(step)
      },
    })
    const ended = await work(disk, folder).then(
      () => true,
      () => false,
    )
    look(disk, folder)
    if (ended) return last
  }
}

describe('a power cut', () => {
  test('takes bytes that are not synced, and a name whose folder is not', async () => {
    const [disk, folder] = [simulated(), temporaryFolder()]
    const file = join(folder, 'new')
    const open = disk.create(file, 0o600)
    open.write('first ')
    await open.sync()
    open.write('second')
    const named = leftOf(disk, folder, 'new')
    expect(named).toContain(undefined)
    await disk.sync(folder)
    const left = leftOf(disk, folder, 'new')
    expect(left).not.toContain(undefined)
    expect(left.size).toBeGreaterThan(3)
    for (const text of left) expect('first second').toContain(text)
    for (const text of left) expect(text).toMatch(/^first /)
    await open.sync()
    expect(leftOf(disk, folder, 'new')).toEqual(new Set(['first second']))
    open.close()
  })

  test('brings back what was replaced or removed where the folder is not synced', async () => {
    const [disk, folder] = [simulated(), temporaryFolder()]
    for (const name of ['one', 'two'])
      await writeWholeFile(join(folder, name), `former ${name}`, OPTIONS, disk)
    await writeWholeFile(join(folder, 'one'), 'later', { ...OPTIONS, syncFolder: false }, disk)
    disk.remove(join(folder, 'two'))
    expect(leftOf(disk, folder, 'one')).toEqual(new Set(['former one', 'later']))
    expect(leftOf(disk, folder, 'two')).toEqual(new Set(['former two', undefined]))
    await disk.sync(folder)
    expect(leftOf(disk, folder, 'one')).toEqual(new Set(['later']))
    expect(leftOf(disk, folder, 'two')).toEqual(new Set([undefined]))
  })

  test('takes a file of DuckDB that was renamed before it was synced, and no other', async () => {
    const [disk, folder] = [simulated(), temporaryFolder()]
    for (const name of ['copied', 'settled', 'warehouse']) writeFileSync(join(folder, `${name}.tmp`), 'rows')
    disk.rename(join(folder, 'copied.tmp'), join(folder, 'copied'))
    const settled = { temp: join(folder, 'settled.tmp'), file: join(folder, 'settled') }
    await settleFiles([settled], undefined, disk)
    expect(leftOf(disk, folder, 'copied').size).toBeGreaterThan(2)
    expect(leftOf(disk, folder, 'settled')).toEqual(new Set(['rows']))
    expect(leftOf(disk, folder, 'warehouse.tmp')).toEqual(new Set(['rows']))
  })

  test('takes a folder with all that is in it where its own name is not synced', async () => {
    const [disk, folder] = [simulated(), temporaryFolder()]
    disk.makeFolder(join(folder, 'a/b'), 0o700)
    await writeWholeFile(join(folder, 'a/b/file'), 'text', OPTIONS, disk)
    expect(leftOf(disk, folder, 'a/b/file')).toEqual(new Set([undefined, 'text']))
    await makeFolders(join(folder, 'c/d'), 0o700, disk)
    await writeWholeFile(join(folder, 'c/d/file'), 'text', OPTIONS, disk)
    expect(leftOf(disk, folder, 'c/d/file')).toEqual(new Set(['text']))
  })

  test('leaves the same for the same seed', async () => {
    const [disk, folder] = [simulated(), temporaryFolder()]
    for (const name of ['a', 'b', 'c']) disk.create(join(folder, name), 0o600).write('text'.repeat(100))
    const lost = (seed: number): string[] =>
      disk.powerLoss(folder, join(temporaryFolder(), 'copy'), seeded(seed))
    expect(lost(7)).toEqual(lost(7))
    expect(lost(7)).not.toEqual(lost(8))
  })
})

describe('at every step, a power cut leaves', () => {
  test('the former file or the new one, whole', async () => {
    const steps = await atEveryStep(
      (disk, folder) => writeWholeFile(join(folder, 'file'), 'the new text', OPTIONS, disk),
      (folder) => writeFileSync(join(folder, 'file'), 'former'),
      (disk, folder) => {
        for (const text of leftOf(disk, folder, 'file', 12))
          expect(['former', 'the new text']).toContain(text)
      },
    )
    expect(steps).toBe(10)
  })

  test('a file that must be new, whole or not at all', async () => {
    await atEveryStep(
      async (disk, folder) => void (await createFile(join(folder, 'file'), 'commit', 0o644, disk)),
      () => undefined,
      (disk, folder) => {
        for (const text of leftOf(disk, folder, 'file', 12)) expect(['commit', undefined]).toContain(text)
      },
    )
  })

  test('every line that was appended before, and no line that became one with another', async () => {
    await atEveryStep(
      async (disk, folder) => {
        await appendLines(join(folder, 'lines'), [{ b: 1 }], disk)
        await appendLines(join(folder, 'lines'), [{ c: 1 }], disk)
      },
      (folder) => writeFileSync(join(folder, 'lines'), '{"a":1}\n{"cut o'),
      (disk, folder) => {
        for (const text of leftOf(disk, folder, 'lines', 12)) {
          const [first, ...lines] = text?.split('\n').slice(0, -1) ?? []
          expect(first).toBe('{"a":1}')
          expect(['', '{"b":1}', '{"b":1} {"c":1}']).toContain(lines.join(' '))
        }
      },
    )
  })

  test('pages that are landed together, each whole or not at all', async () => {
    const names = ['one', 'two']
    await atEveryStep(
      (disk, folder) => {
        const files = names.map((name) => ({ file: join(folder, name, 'page'), content: name }))
        return writeWholeFiles(files, OPTIONS, disk)
      },
      (folder) => names.forEach((name) => void mkdirSync(join(folder, name))),
      (disk, folder) => {
        for (const name of names)
          for (const text of leftOf(disk, folder, `${name}/page`, 6))
            expect([name, undefined]).toContain(text)
      },
    )
  })
})

test('after a kill every operation ends as the one that was killed', async () => {
  const folder = temporaryFolder()
  const disk = simulated({
    onStep: (step) => {
      if (step.kind === 'rename') throw new Killed(step)
    },
  })
  const file = join(folder, 'file')
  await expect(writeWholeFile(file, 'text', OPTIONS, disk)).rejects.toMatchObject({
    cause: expect.any(Killed),
  })
  expect(() => disk.makeFolder(join(folder, 'later'), 0o700)).toThrow(Killed)
  await expect(disk.sync(folder)).rejects.toThrow(Killed)
  expect(existsSync(join(folder, 'later'))).toBe(false)
})

test('a full disk is one refusal, in the words of the program', async () => {
  const steps: string[] = []
  const folder = temporaryFolder()
  const disk = simulated({
    onStep: (step: Step) => {
      steps.push(`${step.moment} ${step.kind}`)
      if (step.kind === 'write') throw refusal('ENOSPC', step)
    },
  })
  const writing = writeWholeFile(join(folder, 'file'), 'text', OPTIONS, disk)
  await expect(writing).rejects.toThrow(/cannot write .*file: the disk is full/)
  expect(steps).toEqual(['before create', 'after create', 'before write', 'before remove', 'after remove'])
})
