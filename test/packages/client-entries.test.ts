import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ORDER_TYPE_ERAS_FILE, orderTypeEras } from '../../build/rulebook/order-type-eras.js'
import { packageRoot } from '../../src/package.js'

/** What a program that imports these names of an entry of the client ships. */
async function bundled(names: string, entry: string, platform: 'neutral' | 'node') {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${names} } from './packages/client/src/${entry}.ts'`,
      resolveDir: packageRoot,
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform,
    tsconfig: join(packageRoot, 'tsconfig.json'),
  })
  return { bytes: outputFiles[0]?.contents.length ?? 0, files: Object.keys(metafile.inputs) }
}

describe('candlehouse-client/decode', () => {
  it('is at most 60 kB as a whole, for a browser too, without the transport', async () => {
    const names = 'decode, rowsOf, queries, clientIdOf, orderTypesOn, parseDay, parseDecimal'
    const { bytes, files } = await bundled(names, 'decoding', 'neutral')
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(files.filter((file) => /undici|zod|transport|session|signing/.test(file))).toEqual([])
  })

  it('gives less where less is used', async () => {
    const { bytes } = await bundled('parseDecimal', 'decoding', 'neutral')
    expect(bytes).toBeLessThan(2_000)
  })

  it('is also small where it comes from the main entry', async () => {
    const { bytes } = await bundled('decode, parseDay', 'index', 'node')
    expect(bytes).toBeLessThanOrEqual(60_000)
  })
})

it('order types of the client are those of the rulebook: make docs writes them', () => {
  expect(readFileSync(join(packageRoot, ORDER_TYPE_ERAS_FILE), 'utf8')).toBe(orderTypeEras())
})
