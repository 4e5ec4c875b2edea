import { InvalidArgumentError } from 'commander'

/** Reads a one-time password. @throws InvalidArgumentError for blanks: a login without one ends a verified session */
export function oneTimePassword(text: string): string {
  const code = text.trim()
  if (code !== '') return code
  throw new InvalidArgumentError('It is empty. Give the code, or omit --otp: you are then asked for it.')
}

/** Reads symbols separated by commas, spelled as the service spells them. @throws InvalidArgumentError */
export function symbolList(text: string): string[] {
  const symbols = [...new Set(text.split(',').map((symbol) => symbol.trim()))].filter(Boolean)
  if (symbols.length === 0) throw new InvalidArgumentError('Give symbols separated by commas, like FPT,VNM.')
  return symbols
}
