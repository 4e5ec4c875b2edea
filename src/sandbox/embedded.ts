import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../errors.js'
import type { RunningSandbox, SandboxOptions } from './options.js'

/** What the worker says: first that it listens, then how many requests it has received. */
export type WorkerWord =
  | { kind: 'listening'; sandbox: Omit<RunningSandbox, 'close' | 'requests'> }
  | { kind: 'failed'; message: string }

/** Where worker and owner share the count of requests: reading it needs no round trip. */
export interface WorkerTask {
  options: SandboxOptions
  received: SharedArrayBuffer
}

/** Starts the service in a worker thread: it dies with the process, whatever ends that. */
export async function startEmbeddedSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const received = new SharedArrayBuffer(4)
  const task: WorkerTask = { options, received }
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task })
  const [word] = (await once(worker, 'message')) as [WorkerWord]
  if (word.kind === 'failed') {
    await worker.terminate()
    throw new ServiceError(`the embedded sandbox did not start: ${word.message}`)
  }
  // An embedding command that ends must not be kept alive by its sandbox.
  worker.unref()
  return {
    ...word.sandbox,
    requests: () => Atomics.load(new Int32Array(received), 0),
    close: async () => {
      await worker.terminate()
    },
  }
}
