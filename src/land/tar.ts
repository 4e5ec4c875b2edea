import { readSync } from 'node:fs'
import { StorageError } from 'candlehouse-foundation/errors'

/** Size of a tar block, bytes: headers and contents begin at multiples of it. */
const BLOCK = 512

/** Two empty blocks end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** A regular file in an archive: where its bytes are. */
export interface TarMember {
  readonly name: string
  /** Position of the first byte. */
  readonly offset: number
  readonly size: number
}

/**
 * The parts of a file in an archive: header, bytes, padding (POSIX ustar, which every `tar` reads). Owner and permissions are
 * the same for all, so that the same files give the same archive.
 *
 * @param modified seconds since 1970
 * @throws RangeError for a name of more than 100 bytes: no page has one
 */
export function tarMember(name: string, content: Uint8Array, modified: number): Uint8Array[] {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name}: too long for an archive`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108)
  header.write(`${octal(content.length, 11)}\0${octal(modified, 11)}\0`, 124)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(checksum(header), 6)}\0 `, 148)
  return [header, content, Buffer.alloc(paddingOf(content.length))]
}

/**
 * Files of an archive that is open for reading, in their order. Only headers are read.
 *
 * @param archive its name, for errors
 * @throws StorageError where a header is damaged, or the archive ends too early
 */
export function* tarMembers(handle: number, archive: string): Generator<TarMember> {
  const header = Buffer.alloc(BLOCK)
  for (let at = 0; ; ) {
    if (readSync(handle, header, 0, BLOCK, at) < BLOCK) throw damaged(archive, at, 'it ends too early')
    if (header.every((byte) => byte === 0)) return
    const size = numberAt(header, 124, 12)
    if (numberAt(header, 148, 8) !== checksum(header) || !Number.isSafeInteger(size))
      throw damaged(archive, at, 'this is not a header')
    yield { name: textAt(header, 0, 100), offset: at + BLOCK, size }
    at += BLOCK + size + paddingOf(size)
  }
}

function damaged(archive: string, at: number, wrong: string): StorageError {
  return new StorageError(`${archive} is damaged at byte ${at}: ${wrong}`, {
    hint: 'restore the archive from a backup, then run candlehouse raw verify',
  })
}

/** Sum of the header's bytes, with spaces in place of the sum itself. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function numberAt(header: Buffer, from: number, length: number): number {
  return Number.parseInt(textAt(header, from, length).trim(), 8)
}

function textAt(header: Buffer, from: number, length: number): string {
  const end = header.indexOf(0, from)
  return header.toString('utf8', from, end < 0 || end > from + length ? from + length : end)
}
