/** Name of the API key of a home that has only one: settings that name no key have this one. */
export const DEFAULT_KEY_NAME = 'default'

/** Names of keys stand in file names, columns and messages. Lower case: some file systems do not tell cases apart. */
export const KEY_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** What is wrong with a name that is not like this. */
export const WRONG_KEY_NAME = 'must be 1 to 32 small letters, digits, - or _'
