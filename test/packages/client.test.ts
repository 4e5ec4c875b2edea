import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as Sandbox from 'candlehouse-sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PKCS1, PUBLIC_KEY } from '../../packages/client/test/support/signing-key.js'
import { packageRoot } from '../../src/package.js'
import { compilePrograms, readGuide } from './guide.js'
import { type Installed, installed, modulesOf } from './installed.js'

const pages = readdirSync(join(packageRoot, 'packages/client/guide')).map((name) => ({
  name,
  ...readGuide(`packages/client/guide/${name}`),
}))
const programs = pages.flatMap(({ name, programs: ofPage }) =>
  ofPage.map((program) => ({ ...program, name: `${name.replace('.md', '')}-${program.name}` })),
)
let client: Installed
let sandboxPackage: Installed

beforeAll(() => {
  client = installed('packages/client')
  sandboxPackage = installed('packages/sandbox')
  writeFileSync(join(client.folder, 'signing.pem'), PKCS1)
})
afterAll(() => {
  client.remove()
  sandboxPackage.remove()
})

describe('candlehouse-client', () => {
  it('depends on nothing that only the warehouse or the sandbox needs', () => {
    expect(Object.keys(client.tarball.manifest.dependencies)).toEqual(['p-limit', 'p-retry', 'undici'])
  })

  it('holds only modules of the client', () => {
    expect(modulesOf(client.tarball)).toEqual(new Set(['client', 'foundation', 'bundled']))
  })

  it('has a guide that shows an output for each of its programs', () => {
    for (const { name, programs: ofPage, sources } of pages)
      expect([name, ofPage.length > 0, ofPage.length]).toEqual([name, true, sources])
    const readme = readFileSync(join(packageRoot, 'packages/client/README.md'), 'utf8')
    for (const { name } of pages) expect(readme).toContain(`(guide/${name})`)
  })

  it('has types that the programs of its guide compile against', () => {
    expect(compilePrograms(programs, client.folder)).toEqual([])
  })

  it.each(programs)(
    'prints what its guide shows, against candlehouse-sandbox: $name',
    async ({ name, output }) => {
      const { startSandbox } = (await import(sandboxPackage.entry)) as typeof Sandbox
      const sandbox = await startSandbox({ date: '2025-11-20', at: '10:00', publicKey: PUBLIC_KEY })
      try {
        const ran = await promisify(execFile)(process.execPath, [join(client.folder, `${name}.mjs`)], {
          env: {
            BROKER_BASE_URL: sandbox.url,
            BROKER_API_KEY: sandbox.apiKey,
            BROKER_API_SECRET: sandbox.apiSecret,
            BROKER_OTP: sandbox.otp,
            BROKER_SIGNING_KEY_FILE: join(client.folder, 'signing.pem'),
          },
        })
        expect(ran).toEqual({ stdout: output, stderr: '' })
      } finally {
        await sandbox.close()
      }
    },
  )
})
