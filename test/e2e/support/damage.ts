import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { cli, type Ran } from '../../support/program.js'

export const DAMAGES = ['delete', 'truncate', 'flip', 'zero', 'garbage'] as const
export type Damage = (typeof DAMAGES)[number]

/** Files of a home that candlehouse can write again, by kind: each kind is drawn as often as another. */
export function damageable(home: string): Record<string, string[]> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort()
  const of = (pattern: RegExp): string[] => files.filter((file) => pattern.test(file))
  return {
    data: of(/^lake\/(?!.*_delta_log).*\.parquet$/),
    log: of(/_delta_log\//),
    manifest: of(/^lake\/manifest\.json$/),
    catalog: of(/^catalog\.duckdb$/),
    ducklake: of(/^lake\.ducklake$/),
    warehouse: of(/^warehouse\.duckdb(\.wal)?$/),
    status: of(/^(logs\/|metrics\.prom)/),
  }
}

/** @param at from 0 to 1: where in the file */
export function damageFile(file: string, damage: Damage, at: number): void {
  const { size } = statSync(file)
  const place = Math.min(size - 1, Math.floor(size * at))
  if (damage === 'delete') rmSync(file)
  else if (damage === 'truncate') truncateSync(file, place)
  else if (damage === 'zero') truncateSync(file, 0)
  else if (damage === 'garbage')
    writeFileSync(file, 'garbage '.repeat(Math.ceil(size / 8)).slice(0, size), { mode: 0o644 })
  else flip(file, place)
}

function flip(file: string, place: number): void {
  const handle = openSync(file, 'r+')
  const bytes = Buffer.alloc(Math.min(16, fstatSync(handle).size - place))
  readSync(handle, bytes, 0, bytes.length, place)
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (bytes[index] ?? 0) ^ 0x55
  writeSync(handle, bytes, 0, bytes.length, place)
  closeSync(handle)
}

/** Findings of `lake verify`. */
export async function lakeFindings(
  cwd: string,
): Promise<{ ran: Ran; findings: { path: string; wrong: string }[] }> {
  const ran = await cli(['lake', 'verify', '--json'], { cwd })
  const { findings = [] } = ran.json<{ findings?: { path: string; wrong: string }[] }>()
  return { ran, findings }
}
