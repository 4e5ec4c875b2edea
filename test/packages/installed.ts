import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGES } from '../../packages/definitions.js'
import { installLinked, installWithNpm } from '../../packages/install.js'
import { packPackage, type Tarball } from '../../packages/pack.js'
import { packageRoot } from '../../src/package.js'

/** A package in a folder that holds nothing else. */
export interface Installed {
  folder: string
  tarball: Tarball
  /** Address of the module that `import 'NAME'` loads. */
  entry: string
  remove(): void
}

/**
 * Packs a package and installs the tarball: linked, or as `make packages` asks for, by npm from the registry.
 *
 * @param name `candlehouse`, `candlehouse-client` or `candlehouse-sandbox`
 */
export function installed(name: string): Installed {
  const definition = PACKAGES.find((candidate) => candidate.name === name)
  if (definition === undefined) throw new Error(`packages/definitions.ts has no ${name}`)
  const top = mkdtempSync(join(tmpdir(), `${name}-`))
  const folder = mkdtempSync(join(top, 'project-'))
  const tarball = packPackage(packageRoot, definition, top)
  if (process.env.INSTALL_WITH === 'npm') installWithNpm(tarball, folder)
  else installLinked(packageRoot, tarball, folder)
  return {
    folder,
    tarball,
    entry: createRequire(join(folder, 'program.js')).resolve(name),
    remove: () => rmSync(top, { recursive: true }),
  }
}
