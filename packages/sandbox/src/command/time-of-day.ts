import { InvalidArgumentError } from 'commander'

/** `HH:mm`, as an option of the command line. @throws InvalidArgumentError */
export function timeOfDay(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new InvalidArgumentError('Give a time of day, like 14:20.')
}
