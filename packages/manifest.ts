import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageDefinition } from './definitions.js'

/** The part of the root's package.json that all packages share. */
interface RootManifest {
  version: string
  license: string
  type: string
  engines: Record<string, string>
  dependencies: Record<string, string>
}

/** A package.json as npm reads it. */
export interface Manifest extends RootManifest {
  name: string
  description: string
  keywords: readonly string[]
  types: string
  exports: Record<string, unknown>
  bin?: Readonly<Record<string, string>>
  man?: readonly string[]
}

/**
 * The package.json of a package: version, license, engines and the exact versions of its dependencies come from the
 * root's.
 *
 * @param imports names of the npm packages that its modules import
 * @throws Error where a module imports a package that the root does not list as a dependency
 */
export function createManifest(
  root: string,
  definition: PackageDefinition,
  imports: readonly string[],
): Manifest {
  const { name, description, keywords, entry, commands, manuals } = definition
  const { version, license, type, engines, dependencies } = readManifest(root)
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    engines,
    types: `${entry}.d.ts`,
    exports: {
      '.': { types: `./${entry}.d.ts`, default: `./${entry}.js` },
      './package.json': './package.json',
    },
    ...(Object.keys(commands).length === 0 ? {} : { bin: commands }),
    ...(manuals ? { man: manuals } : {}),
    dependencies: Object.fromEntries(
      withPeers(root, imports, dependencies).map((dependency) => {
        const exact = dependencies[dependency]
        if (exact === undefined)
          throw new Error(`${name} imports ${dependency}, which package.json does not list`)
        return [dependency, exact]
      }),
    ),
  }
}

/** The imported packages and the peers that these ask for, where the root pins them. */
function withPeers(root: string, imports: readonly string[], pinned: Record<string, string>): string[] {
  const names = new Set(imports)
  for (const name of names) {
    const { peerDependencies = {} } = readManifest(join(root, 'node_modules', name))
    for (const peer of Object.keys(peerDependencies)) if (pinned[peer] !== undefined) names.add(peer)
  }
  return [...names].sort()
}

function readManifest(folder: string): RootManifest & { peerDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
