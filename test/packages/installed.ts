import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installLinked, installWithNpm } from '../../build/install.js'
import { type PACKAGES, packPackage, type Tarball } from '../../build/pack.js'
import { packageRoot } from '../../src/package.js'

/** Packages whose modules a tarball holds. */
export function modulesOf({ files }: Tarball): Set<string | undefined> {
  const modules = files.filter((file) => file.endsWith('.js'))
  return new Set(modules.map((file) => /^dist\/(\w+)\//.exec(file)?.[1]))
}

/** A package in a folder that holds nothing else. */
export interface Installed {
  folder: string
  tarball: Tarball
  /** Address of the module that `import 'NAME'` loads, of a library. */
  readonly entry: string
  remove(): void
}

/**
 * Packs a package and installs the tarball: linked, or as `make packages` asks for, by npm from the registry.
 *
 * @param path folder of the package, relative to the root of the repository
 */
export function installed(path: (typeof PACKAGES)[number]): Installed {
  const top = mkdtempSync(join(tmpdir(), 'package-'))
  const folder = mkdtempSync(join(top, 'project-'))
  const tarball = packPackage(join(packageRoot, path), top)
  if (process.env.INSTALL_WITH === 'npm') installWithNpm(tarball, folder)
  else installLinked(packageRoot, tarball, folder)
  return {
    folder,
    tarball,
    get entry() {
      return createRequire(join(folder, 'program.js')).resolve(tarball.manifest.name)
    },
    remove: () => rmSync(top, { recursive: true }),
  }
}
