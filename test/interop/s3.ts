import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'

const here = join(packageRoot, 'test/interop')

/** Keys that the services are started with. */
export const KEY = 'AKIAINTEROP000000001'
export const SECRET = 'interop-secret-0000000000000001'

/** An S3 service that `make interop` installs, and starts on a port of loopback. */
export interface Service {
  readonly name: string
  readonly command: string
  args(port: number, folder: string): string[]
}

export const services: readonly Service[] = [
  {
    name: 'versitygw',
    command: process.env.VERSITYGW ?? join(here, '.go/bin/versitygw'),
    args: (port, folder) => {
      for (const name of ['data', 'meta', 'data/desk']) mkdirSync(join(folder, name))
      return ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', join(folder, 'meta'), join(folder, 'data')]
    },
  },
  {
    name: 'moto',
    command: process.env.MOTO_SERVER ?? join(here, '.venv-bucket/bin/moto_server'),
    args: (port) => ['-H', '127.0.0.1', '-p', String(port)],
  },
]

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until an address answers, for two minutes: Java on a busy machine. */
export async function answers(endpoint: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    if (await fetch(endpoint).then(Boolean, () => false)) return
    await systemEffects.sleep(100)
  }
  throw new Error(`${endpoint} does not answer`)
}
