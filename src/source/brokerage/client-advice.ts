import type { Advice } from 'candlehouse-client/reading'

/** What errors of the client advise at the command line. */
export const ADVICE: Advice = {
  again: 'run the same command again',
  later: 'run the same command again later: it continues where this run stopped',
  damaged: 'run the same command again later: what could not be read is requested again',
  otp: 'run `candlehouse login` for a new code, or `candlehouse login --otp CODE` with it',
  smartOtp: 'run `candlehouse login --smart-otp` again and approve it within 30 seconds',
  otpInstead: 'run `candlehouse login --otp CODE` with the code sent to your phone or e-mail',
}
