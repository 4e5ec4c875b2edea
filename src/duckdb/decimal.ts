/** Total digits and digits after the point of a DECIMAL type name. Undefined for other types. */
export function decimalOf(type: string): { precision: number; scale: number } | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) }
}
