import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'

const here = join(packageRoot, 'test/interop')

/** Keys that the services are started with. */
export const KEY = 'AKIAINTEROP000000001'
export const SECRET = 'interop-secret-0000000000000001'

/** The standard variables of AWS for a bucket of these services. */
export const AWS = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'us-east-1' }

/** Python with duckdb's extensions, delta-rs, polars and moto. */
export const bucketPython = process.env.BUCKET_PYTHON ?? join(here, '.venv-bucket/bin/python')

/** An S3 service that `make interop` installs, and starts on a port of loopback. */
export interface Service {
  readonly name: 'versitygw' | 'moto'
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
    command: bucketPython,
    args: (port) => [join(here, 'engines/moto_server.py'), String(port)],
  },
]

/** A service with the bucket `desk`. */
export interface RunningService {
  readonly endpoint: string
  readonly process: ChildProcess
}

export function isInstalled({ command }: Service): boolean {
  return existsSync(command)
}

/** @param folder an empty one, for its objects */
export async function startService(service: Service, folder: string): Promise<RunningService> {
  const { PATH, HOME } = process.env
  const port = await freePort()
  const child = spawn(service.command, service.args(port, folder), {
    env: { PATH, HOME, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET },
    stdio: 'ignore',
    cwd: folder,
  })
  const endpoint = `http://127.0.0.1:${port}`
  await answers(endpoint)
  if (service.name === 'moto') await fetch(`${endpoint}/desk`, { method: 'PUT' })
  return { endpoint, process: child }
}

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
