import { expect, test } from 'vitest'
import { recipes } from '../../src/mcp/packaged-docs.js'
import { readQuestions } from './two-hundred-questions.js'

const questions = readQuestions()

test('there are a hundred in each language, none twice, and one for each statement of the cookbook', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(questions.map(({ number }) => number)).toEqual(numbers)
  expect(recipes().map(({ question }) => Number.parseInt(question, 10))).toEqual(numbers)
  const texts = questions.flatMap(({ english, vietnamese }) => [english, vietnamese])
  expect(new Set(texts).size).toBe(200)
})

test('each is in its language, and needs some columns', () => {
  const inWrongLanguage = questions.filter(
    ({ english, vietnamese }) =>
      !/^[\x20-\x7e]+$/.test(english) ||
      !/[ăâđêôơưàáảãạèéẻẽẹìíỉĩịòóỏõọùúủũụỳýỷỹỵ]/i.test(vietnamese.normalize('NFC')),
  )
  expect(inWrongLanguage).toEqual([])
  expect(questions.filter(({ needed }) => needed.length === 0)).toEqual([])
})

test('each leads to the statement of its number', () => {
  const wrong = questions.filter(({ number, statement }) => !statement.startsWith(`cookbook.md#${number}-`))
  expect(wrong).toEqual([])
})
