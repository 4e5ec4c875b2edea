import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { startSandbox } from '../../src/sandbox/index.js'
import { PKCS1, PUBLIC_KEY } from './support/signing-key.js'

const guide = readFileSync(join(packageRoot, 'docs/client.md'), 'utf8')

/** Programs of the guide, each with the output it promises. */
const programs = [...guide.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
  ([, source = '', output = ''], at) => ({ name: `program-${at + 1}`, source, output }),
)

/** A project that depends on the built package as any other would: by its name, its exports, its types. */
const home = mkdtempSync(join(tmpdir(), 'candlehouse-guide-'))
const file = (name: string): string => join(home, name)

beforeAll(() => {
  mkdirSync(file('node_modules'))
  symlinkSync(packageRoot, file('node_modules/candlehouse'))
  symlinkSync(join(packageRoot, 'node_modules/@types'), file('node_modules/@types'))
  writeFileSync(file('signing.pem'), PKCS1)
  for (const { name, source } of programs) writeFileSync(file(`${name}.mts`), source)
})
afterAll(() => rmSync(home, { recursive: true }))

/** Compiles the programs, and the types the package ships with them. */
function compile(): string[] {
  const program = ts.createProgram(
    programs.map(({ name }) => file(`${name}.mts`)),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      typeRoots: [file('node_modules/@types')],
      skipLibCheck: true,
    },
  )
  program.emit()
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the guide of the library', () => {
  it('shows an output for each of its programs', () => {
    expect(programs).toHaveLength([...guide.matchAll(/```ts\n/g)].length)
    expect(programs.length).toBeGreaterThanOrEqual(4)
  })

  it('has programs that compile against the types of the package', () => {
    expect(compile()).toEqual([])
  })

  it.each(programs)('has programs that print what it says: $name', async ({ name, output }) => {
    const sandbox = await startSandbox(
      { date: '2025-11-20', at: '10:00', publicKey: PUBLIC_KEY },
      systemEffects,
    )
    try {
      const ran = await promisify(execFile)(process.execPath, [file(`${name}.mjs`)], {
        env: {
          BROKER_BASE_URL: sandbox.url,
          BROKER_API_KEY: sandbox.apiKey,
          BROKER_API_SECRET: sandbox.apiSecret,
          BROKER_OTP: sandbox.otp,
          BROKER_SIGNING_KEY_FILE: file('signing.pem'),
        },
      })
      expect(ran).toEqual({ stdout: output, stderr: '' })
    } finally {
      await sandbox.close()
    }
  })
})
