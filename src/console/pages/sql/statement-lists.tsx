import { useState } from 'preact/hooks'
import type { StatementList } from '../../user-statements.js'
import { get, post } from '../api.js'

interface Props {
  /** What the editor has. */
  text: string
  onChoose(sql: string): void
}

/** Statements that were run, and those that were saved with a name: a list of each, one open at a time. */
export function StatementLists({ text, onChoose }: Props) {
  const [open, setOpen] = useState<'history' | 'saved'>()
  const [list, setList] = useState<StatementList>()
  const [problem, setProblem] = useState('')
  const show = (next: Promise<StatementList>) =>
    next.then(
      (value) => {
        setList(value)
        setProblem('')
      },
      (error: Error) => setProblem(error.message),
    )
  const toggle = (which: 'history' | 'saved') => {
    setOpen(open === which ? undefined : which)
    if (open !== which) void show(get<StatementList>('/api/statements'))
  }
  const choose = (sql: string) => {
    setOpen(undefined)
    onChoose(sql)
  }
  const save = (name: string) => show(post<StatementList>('/api/statements/save', { name, sql: text }))
  const remove = (name: string) => show(post<StatementList>('/api/statements/remove', { name }))
  return (
    <>
      <button type="button" aria-expanded={open === 'history'} onClick={() => toggle('history')}>
        History
      </button>
      <button type="button" aria-expanded={open === 'saved'} onClick={() => toggle('saved')}>
        Saved
      </button>
      {open && (
        <section
          class="card statements"
          aria-label={open === 'history' ? 'Statements that were run' : 'Saved statements'}
        >
          {open === 'saved' && <SaveForm onSave={(name) => void save(name)} />}
          {problem !== '' && <p role="alert">{problem}</p>}
          {list && open === 'history' && <HistoryList statements={list.history} onChoose={choose} />}
          {list && open === 'saved' && (
            <SavedList saved={list.saved} onChoose={choose} onRemove={(name) => void remove(name)} />
          )}
        </section>
      )}
    </>
  )
}

function SaveForm({ onSave }: { onSave(name: string): void }) {
  const [name, setName] = useState('')
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(name.trim())
      }}
    >
      <label class="field">
        Name
        <input value={name} maxLength={60} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        Save the statement
      </button>
    </form>
  )
}

function HistoryList({
  statements,
  onChoose,
}: {
  statements: readonly string[]
  onChoose(sql: string): void
}) {
  const [words, setWords] = useState('')
  const shown = statements.filter((sql) => sql.toLowerCase().includes(words.toLowerCase()))
  if (statements.length === 0) return <p class="quiet">No statement was run yet.</p>
  return (
    <>
      <label class="field">
        Find
        <input type="search" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
      </label>
      <ul>
        {shown.map((sql) => (
          <li key={sql}>
            <button type="button" class="plain mono" title={sql} onClick={() => onChoose(sql)}>
              {sql.replace(/\s+/g, ' ')}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">None of the statements has these words.</p>}
    </>
  )
}

interface SavedProps {
  saved: StatementList['saved']
  onChoose(sql: string): void
  onRemove(name: string): void
}

function SavedList({ saved, onChoose, onRemove }: SavedProps) {
  if (saved.length === 0) return <p class="quiet">No statement was saved yet.</p>
  return (
    <ul>
      {saved.map(({ name, sql }) => (
        <li key={name}>
          <button type="button" class="plain" title={sql} onClick={() => onChoose(sql)}>
            {name}
          </button>
          <button type="button" class="link" aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}
