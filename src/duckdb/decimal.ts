/** Digits of a DECIMAL as DuckDB names the type: in all, and behind the point. Undefined for other types. */
export function decimalOf(type: string): { precision: number; scale: number } | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) }
}
