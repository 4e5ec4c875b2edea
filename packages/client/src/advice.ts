/** What the hints of errors advise, in the words of the program that uses the client: a command line has commands. */
export interface Advice {
  /** After something was corrected: `…, then try again`. */
  readonly again: string
  /** After an outage. */
  readonly later: string
  /** After a page that was damaged each time. */
  readonly damaged: string
  /** After a one-time password that was refused or is missing. */
  readonly otp: string
  /** After an approval that was refused or came too late. */
  readonly smartOtp: string
  /** For an account without approvals in the mobile app. */
  readonly otpInstead: string
}

/** For programs that have no words of their own. */
export const PLAIN_ADVICE: Advice = {
  again: 'try again',
  later: 'try again later',
  damaged: 'try again later: the page was damaged each time',
  otp: 'log in with a new one-time password: requestOtp asks the service to send one',
  smartOtp: 'ask for another approval and give it within 30 seconds',
  otpInstead: 'log in with the one-time password that was sent to your phone or e-mail',
}
