import { execFileSync } from 'node:child_process'
import { closeSync, lstatSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Reader } from '../../src/duckdb/reader.js'
import { isDevice, systemDisk } from '../../src/home/disk.js'
import { writeWholeFile } from '../../src/home/files.js'
import { saveArrow } from '../../src/read/arrow/write.js'
import { requireReplaceable } from '../../src/read/export/placed.js'
import { temporaryFolder } from '../support/folder.js'

/** A pipe, a file, and a link to the pipe. */
function places(): { pipe: string; file: string; link: string } {
  const folder = temporaryFolder()
  const [pipe, file, link] = ['pipe.csv', 'file.csv', 'link.csv'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  execFileSync('mkfifo', ['-m', '644', pipe])
  writeFileSync(file, 'former')
  symlinkSync(pipe, link)
  return { pipe, file, link }
}

test('no file takes the place of a device, a pipe, or a link to what a shell has opened', async () => {
  const { pipe, file } = places()
  const write = (path: string): Promise<void> =>
    writeWholeFile(path, 'new', { mode: 0o600, hint: 'choose another file' }, systemDisk)
  await expect(write(pipe)).rejects.toThrow(/cannot write .*pipe.csv: it is a device or a pipe, not a file/)
  expect(lstatSync(pipe).isFIFO()).toBe(true)
  await write(file)
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(() => requireReplaceable(pipe, 'file')).toThrow('is a device or a pipe, and an export writes a file')
  expect(() => requireReplaceable(file, 'file')).not.toThrow()
  const neverAsked = {} as Reader
  const arrow = saveArrow(neverAsked, 'select 1', pipe, { disk: systemDisk })
  await expect(arrow).rejects.toThrow('pipe.csv is a device or a pipe, and --arrow writes a file')
})

test('a device is known by its path alone', () => {
  const { file, link } = places()
  expect(['/dev/null', '/dev/../dev/stdout'].map(isDevice)).toEqual([true, true])
  expect([file, link, `${file}.new`, `${file}/below`, '/dev'].filter(isDevice)).toEqual([])
})

test('a pipe that is written to keeps its permissions', () => {
  const { pipe } = places()
  const reader = openSync(pipe, 'r+')
  const writer = systemDisk.create(pipe, 0o600)
  writer.write('x')
  writer.close()
  closeSync(reader)
  expect(statSync(pipe).mode & 0o777).toBe(0o644)
})
