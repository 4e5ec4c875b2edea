import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PackageDefinition } from './definitions.js'
import { createManifest, type Manifest } from './manifest.js'
import { findReachable } from './reachable.js'

export interface Tarball {
  file: string
  manifest: Manifest
  /** Modules and declarations it holds, relative to its root. */
  modules: string[]
  /** Bytes of the tarball. */
  packedBytes: number
  /** Bytes of its files. */
  unpackedBytes: number
}

/**
 * Writes the files of a package and packs them with npm.
 *
 * @param root the repository, built
 * @param destination existing folder that the tarball is written to
 */
export function packPackage(root: string, definition: PackageDefinition, destination: string): Tarball {
  const folder = mkdtempSync(join(tmpdir(), `${definition.name}-`))
  try {
    const { manifest, modules } = writePackage(root, definition, folder)
    const command = ['pack', folder, '--json', '--ignore-scripts', '--pack-destination', destination]
    const output = execFileSync('npm', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const [packed] = JSON.parse(output) as { filename: string; size: number; unpackedSize: number }[]
    if (packed === undefined) throw new Error(`npm pack reported no tarball for ${definition.name}`)
    return {
      file: join(destination, packed.filename),
      manifest,
      modules,
      packedBytes: packed.size,
      unpackedBytes: packed.unpackedSize,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writePackage(
  root: string,
  definition: PackageDefinition,
  folder: string,
): { manifest: Manifest; modules: string[] } {
  const { entry, commands, threads, guide, assets } = definition
  const entries = [`${entry}.js`, `${entry}.d.ts`, ...Object.values(commands), ...threads]
  const { files, imports } = findReachable(root, entries)
  const manifest = createManifest(root, definition, imports)
  for (const file of files) copyModule(join(root, file), join(folder, file))
  // A stack through a bundle says nothing without its map (src/cli/source-places.ts).
  for (const map of files.filter((path) => path.startsWith('dist/chunks/')).map((path) => `${path}.map`))
    if (existsSync(join(root, map))) cpSync(join(root, map), join(folder, map))
  for (const asset of [...assets, 'LICENSE'].flatMap((path) => matching(root, path)))
    cpSync(join(root, asset), join(folder, asset), { recursive: true })
  cpSync(join(root, guide), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, modules: files }
}

/** Without the address of its source map: debuggers would ask for sources, which are not in the packages. */
function copyModule(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, readFileSync(source, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

/** The paths that a path with `*` in its last part stands for. */
function matching(root: string, path: string): string[] {
  if (!path.includes('*')) return [path]
  const folder = dirname(path)
  const [start = '', end = ''] = path.slice(folder.length + 1).split('*')
  return readdirSync(join(root, folder))
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .map((name) => join(folder, name))
}
