import type { Check } from './check.js'
import type { Probe } from './probe.js'
import { withForms, withValues } from './shown.js'

/**
 * What a report may show: no secret and no account number anywhere, and of checks of accounts the form of values only.
 */
export function createRedaction(probe: Probe): (check: Check, text: string) => string {
  return (check, text) => {
    let clean = check.needs === 'market' ? withValues(text) : withForms(text)
    for (const secret of [...probe.session.secrets].sort((a, b) => b.length - a.length))
      if (secret.length > 3) clean = clean.replaceAll(secret, '[secret]')
    // Three characters, the customer's number, and the digit of the kind.
    return clean
      .replaceAll(/eyJ[\w-]*\.[\w-]*\.?[\w-]*/g, '[token]')
      .replaceAll(/\b[0-9A-Z]{3}\d{6}\d?\b/g, '[account]')
  }
}

/** The base address without what a person may have written into it. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/$/, '')
}
