import { view } from './api.js'
import { Failure } from './command.js'
import { useLoaded } from './loaded.js'
import { moreNames, type NewsLine, newsLines, newsSince } from './news.js'

/** What the last night has that the night before had not. @param publication asked again when there is another one */
export function NewsCard({ publication }: { publication: number | undefined }) {
  const { value, error } = useLoaded(() => view('news'), [publication])
  const lines = newsLines(value ?? [])
  return (
    <section class="card" aria-labelledby="news">
      <h2 id="news">
        What is new <span class="quiet">{value ? newsSince(value) : ''}</span>
      </h2>
      {error && <Failure error={error} />}
      {value && lines.length === 0 && <p class="quiet">Nothing.</p>}
      {!value && !error && <p class="quiet">Loading…</p>}
      <dl class="fields news">
        {lines.map((line) => (
          <Line key={line.title} line={line} />
        ))}
      </dl>
    </section>
  )
}

function Line({ line: { title, words, names, more, href } }: { line: NewsLine }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <a href={href}>{words}</a>
        {names.length > 0 && ': '}
        {names.map(({ name, href: page }, index) => (
          <span key={name}>
            {index > 0 ? ', ' : ''}
            <a href={page}>{name}</a>
          </span>
        ))}
        {moreNames(more)}
      </dd>
    </div>
  )
}
