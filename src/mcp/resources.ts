import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server'
import { UsageError } from 'candlehouse-foundation/errors'
import type { AssistantLimits } from './assistant-limits.js'
import type { Call } from './calls.js'
import { packagedPage, sectionsOf } from './packaged-docs.js'
import type { Answer } from './tool-answer.js'

interface ResourceOptions {
  answer(call: Call, context: ServerContext): Promise<Answer>
  readonly hasAccounts: boolean
  readonly limits: AssistantLimits
}

/** The part of the cookbook that reads accounts. */
const ACCOUNTS = 'Your accounts'

/** Pages that a client can read: definitions, dictionary, cookbook, rulebook, report. */
export function registerResources(server: McpServer, { answer, hasAccounts, limits }: ResourceOptions): void {
  const markdown = { mimeType: 'text/markdown' }
  const contentsOf = (uri: URL, text: string) => ({
    contents: [{ uri: uri.href, mimeType: 'text/markdown', text: bounded(text, limits.answerBytes) }],
  })
  server.registerResource(
    'definitions',
    'candlehouse://definitions',
    { ...markdown, description: 'Which price, which return, which date, what null means: 4 KB' },
    (uri) => contentsOf(uri, packagedPage('definitions.md')),
  )
  server.registerResource(
    'dictionary',
    'candlehouse://dictionary',
    { ...markdown, description: 'Every relation with its comment' },
    async (uri, context) => {
      const { rows } = await answer({ tool: 'query', sql: 'show tables', limit: limits.rows }, context)
      return contentsOf(uri, rows.map(([relation, comment]) => `- ${relation}: ${comment ?? ''}`).join('\n'))
    },
  )
  server.registerResource(
    'dictionary-relation',
    new ResourceTemplate('candlehouse://dictionary/{relation}', { list: undefined }),
    { ...markdown, description: 'Columns of a relation with their meanings' },
    async (uri, { relation }, context) => {
      const { rows, notes } = await answer({ tool: 'describe', relation: String(relation) }, context)
      const columns = rows.map(([name, type, meaning]) => `- ${name} ${type ?? ''}: ${meaning ?? ''}`)
      return contentsOf(uri, [...notes, '', ...columns].join('\n'))
    },
  )
  server.registerResource(
    'cookbook',
    'candlehouse://cookbook',
    { ...markdown, description: 'Questions about this market with one right statement each' },
    (uri) => {
      const sections = [...sectionsOf(packagedPage('cookbook.md'))]
      const shown = sections.filter(([title]) => title !== '' && (hasAccounts || title !== ACCOUNTS))
      return contentsOf(uri, shown.map(([, text]) => text).join(''))
    },
  )
  server.registerResource(
    'rulebook',
    'candlehouse://rulebook',
    { ...markdown, description: 'The rules of the market: its sections' },
    (uri) => {
      const titles = [...sectionsOf(packagedPage('rulebook.md')).keys()].filter((title) => title !== '')
      return contentsOf(
        uri,
        titles.map((title) => `- ${title}: candlehouse://rulebook/${wordOf(title)}`).join('\n'),
      )
    },
  )
  server.registerResource(
    'rulebook-section',
    new ResourceTemplate('candlehouse://rulebook/{section}', { list: undefined }),
    { ...markdown, description: 'A section of the rulebook: rules with their dates, values and sources' },
    (uri, { section }) => {
      const named = [...sectionsOf(packagedPage('rulebook.md'))].find(
        ([title]) => title !== '' && wordOf(title) === String(section),
      )
      if (!named) throw new UsageError('there is no such section', { hint: 'read candlehouse://rulebook' })
      return contentsOf(uri, named[1])
    },
  )
  server.registerResource(
    'report',
    'candlehouse://report',
    { ...markdown, description: 'The report of the last night as text' },
    async (uri, context) => {
      const { rows } = await answer({ tool: 'report' }, context)
      return contentsOf(uri, rows.map(([line]) => String(line)).join('\n'))
    },
  )
}

/** A title as a word of an address. */
function wordOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The lines that fit, and how many were left out. */
function bounded(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const lines = text.split('\n')
  let length = 0
  const shown = lines.filter((line) => {
    length += Buffer.byteLength(line) + 1
    return length < bytes - 100
  })
  return `${shown.join('\n')}\n… ${lines.length - shown.length} lines more`
}
