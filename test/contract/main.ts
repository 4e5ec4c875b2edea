// npm run conformance -- URL: what an owner of real credentials runs (docs/conformance.md).

import { createInterface } from 'node:readline/promises'
import { conformance } from './command.js'

const isTerminal = process.stdin.isTTY && process.stderr.isTTY

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

process.exitCode = await conformance(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  ask: isTerminal ? ask : undefined,
})
