import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Ran } from '../support/program.js'
import { filesIn } from './disk.js'
import type { World } from './world.js'

const MANIFEST = 'lake/manifest.json'

export interface Manifest {
  readonly relations: readonly {
    readonly files: readonly { readonly path: string }[]
    readonly log: readonly { readonly path: string }[]
  }[]
}

interface Action {
  readonly add?: { readonly path: string }
  readonly remove?: { readonly path: string }
}

/** Files of the tables as their logs have them, entry after entry. @param objects by path below the home */
export function filesOfLogs(objects: ReadonlyMap<string, Buffer>): string[] {
  const files = new Set<string>()
  for (const [key, content] of [...objects].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [, table] = /^lake\/(.*)\/_delta_log\/\d+\.json$/.exec(key) ?? []
    if (table === undefined) continue
    for (const line of String(content).trim().split('\n')) {
      const { add, remove } = JSON.parse(line) as Action
      if (remove) files.delete(`${table}/${remove.path}`)
      if (add) files.add(`${table}/${add.path}`)
    }
  }
  return [...files]
}

/** Whatever a reader of the bucket would miss; after a night that ended with 0, whatever differs from the lake of the home. */
export function bucketProblems(world: World, ran: Ran): string[] {
  const { bucket } = world
  if (!bucket) return []
  const manifest = bucket.objects.get(MANIFEST)
  const named = manifest ? (JSON.parse(String(manifest)) as Manifest).relations : []
  const ofManifest = named.flatMap(({ files, log }) => [...files, ...log].map(({ path }) => path))
  const missing = [...ofManifest, ...filesOfLogs(bucket.objects)]
    .filter((path) => !bucket.objects.has(`lake/${path}`))
    .map((path) => `the bucket names ${path}, and lacks it`)
  if (ran.code !== 0 || missing.length > 0) return missing.slice(0, 3)
  const home = join(world.cwd, 'data')
  return filesIn(join(home, 'lake'))
    .map((file) => ({ key: relative(home, file), bytes: readFileSync(file) }))
    .filter(({ key, bytes }) => bucket.objects.get(key)?.equals(bytes) !== true)
    .map(({ key }) => `${key} is not in the bucket as it is in the home`)
    .slice(0, 3)
}
