import { SettingsError } from 'candlehouse-foundation/errors'

/** A login that the service refused, and its own words. */
export class LoginRefusedError extends SettingsError {
  constructor(
    what: string,
    readonly answer: string,
    hint: string,
  ) {
    super(`${what}: ${answer}`, { hint })
  }
}
