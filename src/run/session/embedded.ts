import type { Day } from 'candlehouse-foundation/market/day'

/** Where a service listens, and what it accepts. */
export interface ServiceAddress {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly otp: string
}

/** The service of runs whose settings name none. The edge of the process starts it and ends it; a run sees an address. */
export interface EmbeddedService {
  /** Starts it, with this day as its today, unless that was done before: whoever needs it soon need not wait. */
  start(today: Day): Promise<ServiceAddress>
}
