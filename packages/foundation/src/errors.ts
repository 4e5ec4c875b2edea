/**
 * Families of errors, by what the caller does about them. The process edge turns a family into an exit
 * code; every message says what was wrong and where, every hint is the next command or setting to type.
 */
export abstract class CandlehouseError extends Error {
  abstract readonly exitCode: number
  readonly hint: string | undefined

  constructor(message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.hint = options.hint
  }
}

/** The command line is invalid or asks for something impossible. */
export class UsageError extends CandlehouseError {
  readonly exitCode = 2
}

/** A setting or a credential is missing or wrong: fix it, then run again. */
export class SettingsError extends CandlehouseError {
  readonly exitCode = 3
}

/** The clock of this machine is wrong: what is "as of now" would be stored under another day. */
export class WrongClockError extends CandlehouseError {
  readonly exitCode = 3

  /** @param serviceTime the service's clock, epoch milliseconds */
  constructor(
    message: string,
    readonly serviceTime: number,
    options: { hint: string },
  ) {
    super(message, options)
  }
}

/** The service failed (outage, retry budget empty, lost session): run again later. */
export class ServiceError extends CandlehouseError {
  readonly exitCode = 5
}

/** A file or folder cannot be read or written, or is damaged. */
export class StorageError extends CandlehouseError {
  readonly exitCode = 6
}

/** A bucket does not answer or refuses. What is on this machine is not affected. */
export class BucketError extends StorageError {}

/** Another program has published to the same bucket: what it holds is left as it is. */
export class OtherPublisherError extends CandlehouseError {
  readonly exitCode = 75
}

/** Another run has locked the warehouse. */
export class LockedError extends CandlehouseError {
  readonly exitCode = 75
}

/** Stopped by a signal: 130 for SIGINT, 143 for SIGTERM. */
export class InterruptedError extends CandlehouseError {
  constructor(readonly exitCode: 130 | 143) {
    super(exitCode === 130 ? 'stopped by SIGINT' : 'stopped by SIGTERM', {
      hint: 'run the same command again; a job continues where it stopped',
    })
  }
}
