/** Why a run ends before its last check: nothing is wrong with what was not checked. It can be resumed. */
export class Stopped extends Error {
  constructor(
    message: string,
    /** `credentials`: the login was refused · `session`: another program has it now · `service`: no answer · `changed`: it
     * answers otherwise than the earlier run has seen */
    readonly kind: 'credentials' | 'session' | 'service' | 'changed',
  ) {
    super(message)
  }
}

/** A check could not finish since the service was busy: it runs once more, from its beginning. */
export class TryAgain extends Error {}
