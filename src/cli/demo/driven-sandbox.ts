import type { RunningSandbox, SandboxOptions } from 'candlehouse-sandbox'
import type { Effects } from '../../effects.js'
import { startSandbox } from '../embedded-sandbox.js'
import type { PlannedFaults } from './story.js'

/** A sandbox whose clock and faults are set from here. */
export interface DrivenSandbox extends AsyncDisposable {
  readonly service: RunningSandbox
  /** Moves the clock to an instant, like `2025-12-09T18:30:00+07:00`: participants trade on the sessions up to it. */
  moveTo(instant: string): Promise<void>
  /** Replaces the planned faults. */
  plan(faults: PlannedFaults): Promise<void>
}

/** @param options its date is the day on which the clock begins */
export async function driveSandbox(
  options: SandboxOptions,
  { network }: Pick<Effects, 'network'>,
): Promise<DrivenSandbox> {
  const service = await startSandbox({ ...options, drive: true, ongoing: true })
  const post = async (path: string, body: object): Promise<void> => {
    const response = await network.fetch(
      new Request(`${service.url}/sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${await response.text()}`)
  }
  return {
    service,
    moveTo: async (instant) => await post('clock', { to: instant }),
    plan: async (faults) => await post('faults', { faults }),
    [Symbol.asyncDispose]: async () => await service.close(),
  }
}
