import { setFlagsFromString } from 'node:v8'

/**
 * V8 of Node 20 waits sixteen times as long as usual before it optimises a function: most optimised code of a night, and of a test, is
 * thrown away before it has paid for itself. It costs a first night 0.5 of 7.6 CPU-s, a backfill nothing. Later versions wait by
 * themselves, and refuse the flag.
 */
export const OPTIMISE_LATER = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1081344'] : []

/** For this process and its threads. */
export function optimiseLater(): void {
  for (const flag of OPTIMISE_LATER) setFlagsFromString(flag)
}
