import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of the packages, relative to the root of the repository. */
export const PACKAGES = ['.', 'packages/client', 'packages/sandbox', 'packages/rulebook'] as const

/** What the checks read of a package.json. */
export interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  bin?: Readonly<Record<string, string>>
  man?: readonly string[]
}

export interface Tarball {
  file: string
  manifest: Manifest
  /** Files it holds, relative to its root. */
  files: string[]
  /** Bytes of the tarball. */
  packedBytes: number
  /** Bytes of its files. */
  unpackedBytes: number
}

/**
 * Packs a package with npm, as it was built.
 *
 * @param folder of the package
 * @param destination existing folder that the tarball is written to
 */
export function packPackage(folder: string, destination: string): Tarball {
  const command = ['pack', folder, '--json', '--ignore-scripts', '--pack-destination', destination]
  const output = execFileSync('npm', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const [packed] = JSON.parse(output) as {
    filename: string
    size: number
    unpackedSize: number
    files: { path: string }[]
  }[]
  if (packed === undefined) throw new Error(`npm pack reported no tarball for ${folder}`)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Omit<
    Manifest,
    'dependencies'
  > &
    Partial<Manifest>
  return {
    file: join(destination, packed.filename),
    manifest: { ...manifest, dependencies: manifest.dependencies ?? {} },
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    unpackedBytes: packed.unpackedSize,
  }
}
