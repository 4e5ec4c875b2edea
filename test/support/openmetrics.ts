/** A sample as OpenMetrics text tells it: name and labels as written, and the value. */
export interface Metrics {
  types: Record<string, string>
  units: Record<string, string>
  samples: Record<string, number>
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const SAMPLE = new RegExp(`^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`)
const META = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.+)$`)

/**
 * Reads OpenMetrics text and holds it to its grammar: every line is of a known form, a family is declared before its
 * samples and is not interleaved with another, no series comes twice, a unit is the end of its name, the last line is
 * the end.
 *
 * @throws SyntaxError with the line at fault
 */
export function parseOpenMetrics(text: string): Metrics {
  const metrics: Metrics = { types: {}, units: {}, samples: {} }
  if (!text.endsWith('\n# EOF\n') && text !== '# EOF\n') throw new SyntaxError('it does not end in # EOF')
  let family = ''
  for (const line of text.split('\n').slice(0, -2)) {
    const refuse = (why: string): never => {
      throw new SyntaxError(`${why}: ${line}`)
    }
    const [, kind, name = '', rest = ''] = META.exec(line) ?? []
    if (kind) {
      if (name !== family && metrics.types[name]) refuse('a family in two places')
      if (kind === 'TYPE' && metrics.types[name]) refuse('a type twice')
      if (kind !== 'TYPE' && name !== family) refuse('no type before it')
      if (kind === 'TYPE') metrics.types[name] = rest
      if (kind === 'UNIT' && !name.endsWith(`_${rest}`)) refuse('the name does not end in its unit')
      if (kind === 'UNIT') metrics.units[name] = rest
      family = name
      continue
    }
    const [, sample = '', labels = '', value] = SAMPLE.exec(line) ?? refuse('neither metadata nor a sample')
    if (sample !== family) refuse('a sample outside of its family')
    const series = `${sample}${labels}`
    if (series in metrics.samples) refuse('a series twice')
    metrics.samples[series] = Number(value)
  }
  return metrics
}
