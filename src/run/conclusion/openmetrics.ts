/** A metric family of the OpenMetrics text format: always a gauge. */
export interface Family {
  /** Ends in the unit, where there is one. */
  readonly name: string
  readonly help: string
  readonly unit: string | undefined
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Families as OpenMetrics text. Those without samples are skipped. Prometheus's own text format reads it too: there
 * `# UNIT` and `# EOF` are comments.
 */
export function renderMetrics(families: readonly Family[]): string {
  const lines = families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, unit, samples }) => [
      `# TYPE ${name} gauge`,
      ...(unit ? [`# UNIT ${name} ${unit}`] : []),
      `# HELP ${name} ${escaped(help)}`,
      ...samples.map(({ labels, value }) => `${name}${labelled(labels)} ${value}`),
    ])
  return `${[...lines, '# EOF'].join('\n')}\n`
}

function labelled(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

/** Backslashes, quotes and line feeds, as the format wants them in label values and allows them in help. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
