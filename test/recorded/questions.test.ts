import { expect, test } from 'vitest'
import { recipes } from '../../src/mcp/packaged-docs.js'
import { readQuestions } from '../docs/two-hundred-questions.js'
import { answerOf, recordedWarehouse, shown } from './world.js'

/** Publications and files, and therefore what is restated or stale, are not recorded. */
const OF_CLOCKS = new Set([45, 65])

test('the statements of the two hundred questions answer as they were checked, with the columns that are needed', async () => {
  const database = await recordedWarehouse()
  const questions = readQuestions()
  const answers: Record<string, unknown> = {}
  const lacking: string[] = []
  for (const [index, { question, sql }] of recipes().entries()) {
    const number = index + 1
    const columns = await database.rows<{ column_name: string }>(`DESCRIBE ${sql}`)
    const names = columns.map(({ column_name }) => column_name)
    const needed = questions.find((each) => each.number === number)?.needed ?? []
    lacking.push(...needed.filter((name) => !names.includes(name)).map((name) => `${question} ${name}`))
    if (!OF_CLOCKS.has(number)) answers[question] = await answerOf(database, `(${sql})`)
  }
  expect(lacking).toEqual([])
  await expect(shown(answers)).toMatchFileSnapshot('answers/questions.json')
})
