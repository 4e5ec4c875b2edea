import { acceptCompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import { view } from '../api.js'
import { useLoaded } from '../loaded.js'
import { sqlLanguage } from './completion.js'

const LOOK = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--text)', fontSize: '14px', maxHeight: '40vh' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    minHeight: '8rem',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--quiet)', border: 'none' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--band) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-text)',
  },
})

const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--look)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
])

interface Props {
  /** The text to begin with. Another object, even of the same text, takes the place of what was typed. */
  given: { text: string }
  onChange(text: string): void
  onRun(): void
}

/** The editor. Tab leaves it, as every field; the shadow root lets it have its styles without a hole in the page's policy. */
export function Editor({ given, onChange, onRun }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const actions = useRef({ onChange, onRun })
  actions.current = { onChange, onRun }
  const names = useLoaded(() => view('names'), [])
  const language = useRef(new Compartment())
  const editor = useRef<EditorView>(undefined)
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const onEnter = () => {
      actions.current.onRun()
      return true
    }
    const run = { key: 'Mod-Enter', run: onEnter }
    const state = EditorState.create({
      doc: given.text,
      extensions: [
        Prec.highest(keymap.of([run, { key: 'Tab', run: acceptCompletion }])),
        keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        history(),
        lineNumbers(),
        closeBrackets(),
        placeholder('select …'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL statement' }),
        EditorView.updateListener.of(
          (update) => update.docChanged && actions.current.onChange(update.state.doc.toString()),
        ),
        syntaxHighlighting(HIGHLIGHT),
        LOOK,
        language.current.of(sqlLanguage([])),
      ],
    })
    editor.current = new EditorView({ state, root, parent: root })
    return () => editor.current?.destroy()
  }, [])
  useEffect(() => {
    const { state } = editor.current ?? {}
    if (!state || state.doc.toString() === given.text) return
    editor.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: given.text } })
    editor.current?.focus()
  }, [given])
  useEffect(() => {
    if (names.value)
      editor.current?.dispatch({ effects: language.current.reconfigure(sqlLanguage(names.value)) })
  }, [names.value])
  return <div ref={host} class="editor" />
}
