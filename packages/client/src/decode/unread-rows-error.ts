import type { ApiFault } from '../contract.js'

/** The rows of an answer are not all there: the service refused, or a record of it cannot be read. */
export class UnreadRowsError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The service's own words; undefined when a record cannot be read. */
    readonly error?: ApiFault,
  ) {
    super(message)
    this.name = 'UnreadRowsError'
  }
}
