import { expect, test } from 'vitest'
import { createSecrets } from '../src/secrets.js'

const TOKEN = `eyJhbGciOiJIUzI1NiJ9.${'abcDEF0123456789'.repeat(20)}.c2lnbmF0dXJl`

test('a secret goes in every form it is written in', () => {
  const secrets = createSecrets()
  secrets.add('p&ss "word"')
  for (const form of ['p&ss "word"', 'p&ss \\"word\\"', 'p%26ss%20%22word%22', 'cCZzcyAid29yZCI'])
    expect(secrets.scrub(`before ${form} after`)).toBe('before [secret] after')
})

test('the beginning of a short one before an ellipsis goes, in every form; words of sentences stay', () => {
  const secrets = createSecrets()
  for (const secret of ['standin-secret', '246810', 'p&ss word']) secrets.add(secret)
  for (const rest of ['standin-', 'standin-secre', '24681', 'p%26ss%20', 'c3RhbmRpbi1zZWN'])
    expect(secrets.scrub(`HTTP 500: before ${rest}… (2 attempts)`)).toBe(
      'HTTP 500: before [secret]… (2 attempts)',
    )
  for (const words of ['the stand… in', 'sta…', 'and so on … and on', 'standin-'])
    expect(secrets.scrub(words)).toBe(words.replace('stand…', '[secret]…'))
})

test('what is left of a long one that was cut goes, too', () => {
  const secrets = createSecrets()
  secrets.add(TOKEN)
  expect(secrets.scrub(`HTTP 401: {"echo":"Bearer ${TOKEN.slice(0, 150)}…`)).toBe(
    'HTTP 401: {"echo":"Bearer [secret]…',
  )
  expect(secrets.scrub('an ordinary sentence, 0123456789')).toBe('an ordinary sentence, 0123456789')
})
