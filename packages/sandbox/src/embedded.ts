import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ServiceError } from 'candlehouse-foundation/errors'
import type { RunningSandbox, SandboxOptions } from './options.js'

/** Message of the worker when it listens, or when it failed to start. */
export type WorkerMessage =
  | { kind: 'listening'; sandbox: Omit<RunningSandbox, 'close' | 'requests'> }
  | { kind: 'failed'; message: string }

/** Worker and owner share the count of requests in memory: reading it needs no message. */
export interface WorkerTask {
  options: SandboxOptions
  received: SharedArrayBuffer
}

/**
 * Starts the service in a worker thread: it ends with the process in every case.
 *
 * @param file `worker.ts`, as the caller's program was built
 */
export async function startEmbeddedSandbox(options: SandboxOptions, file: string): Promise<RunningSandbox> {
  const received = new SharedArrayBuffer(4)
  const task: WorkerTask = { options, received }
  const worker = new Worker(file, { workerData: task })
  const [message] = (await once(worker, 'message')) as [WorkerMessage]
  if (message.kind === 'failed') {
    await worker.terminate()
    throw new ServiceError(`the embedded sandbox did not start: ${message.message}`)
  }
  // The sandbox must not keep the process of its owner alive.
  worker.unref()
  return {
    ...message.sandbox,
    requests: () => Atomics.load(new Int32Array(received), 0),
    close: async () => {
      await worker.terminate()
    },
  }
}
