import { parentPort, workerData } from 'node:worker_threads'
import { systemEffects } from 'candlehouse-foundation/effects'
import type { WorkerMessage, WorkerTask } from './embedded.js'
import { buildServer } from './service/server.js'
import { listen } from './start.js'

const { options, received } = workerData as WorkerTask
const count = new Int32Array(received)

const report = (message: WorkerMessage) => parentPort?.postMessage(message)

try {
  const app = await buildServer(options, systemEffects, () => {
    Atomics.add(count, 0, 1)
  })
  report({ kind: 'listening', sandbox: await listen(app, options) })
} catch (error) {
  report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
