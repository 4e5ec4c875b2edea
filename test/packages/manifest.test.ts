import { describe, expect, it } from 'vitest'
import type { PackageDefinition } from '../../packages/definitions.js'
import { createManifest } from '../../packages/manifest.js'
import { packageRoot } from '../../src/package.js'

const definition: PackageDefinition = {
  name: 'example',
  description: 'An example.',
  keywords: [],
  entry: 'dist/src/index',
  commands: {},
  threads: [],
  guide: 'README.md',
  assets: [],
}

describe('the package.json of a package', () => {
  it('pins what is imported, and the peers that this asks for, as the root does', () => {
    const { dependencies } = createManifest(packageRoot, definition, ['fastify-type-provider-zod'])
    expect(Object.keys(dependencies)).toEqual([
      '@fastify/swagger',
      'fastify',
      'fastify-type-provider-zod',
      'openapi-types',
      'zod',
    ])
    expect(Object.values(dependencies)).toEqual(
      Object.values(dependencies).filter((version) => /^\d/.test(version)),
    )
  })

  it('is refused where an import is not a dependency of the root', () => {
    expect(() => createManifest(packageRoot, definition, ['vitest'])).toThrow(
      'example imports vitest, which package.json does not list',
    )
  })
})
