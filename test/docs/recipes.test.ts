import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PKCS1, PUBLIC_KEY } from '../../packages/client/test/support/signing-key.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'

const guide = readFileSync(join(packageRoot, 'packages/sandbox/README.md'), 'utf8')

/** Each recipe with the output shown below it; empty where none is shown. */
const recipes = [...guide.matchAll(/```bash\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)].map(
  ([, script = '', output = '']) => ({ script, output }),
)

/** Between the outputs of two recipes. */
const MARK = '--- next recipe ---'

test('the recipes of packages/sandbox/README.md print what the guide shows, in their order', async () => {
  expect(recipes.length).toBeGreaterThanOrEqual(4)
  const sandbox = await startWithEffects(
    { date: '2025-11-20', at: '10:00', publicKey: PUBLIC_KEY },
    systemEffects,
  )
  try {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'signing.pem'), PKCS1)
    const script = recipes
      .map((recipe) => recipe.script.replace('http://127.0.0.1:8642', sandbox.url))
      .join(`\necho; echo '${MARK}'\n`)
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, no_proxy: '127.0.0.1' },
    })
    expect(stdout.split(MARK).map((text) => text.trim())).toEqual(recipes.map(({ output }) => output.trim()))
  } finally {
    await sandbox.close()
  }
})
