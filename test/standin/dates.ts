// Dates as the specification writes them. Everything is text: no time zone can enter.

export type DateFormat = 'YYYY/MM/DD' | 'DD/MM/YYYY' | 'ISO'

const exists = (year: number, month: number, day: number): boolean => {
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
}

/** 'YYYY-MM-DD' or 'YYYY/MM/DD' to 'YYYY/MM/DD'. */
export const slashed = (day: string): string => day.slice(0, 10).replaceAll('-', '/')

/** A query date of the reference endpoints: `YYYY/MM/DD` and nothing else. */
export const readDate = (text: string): string | undefined => {
  const parts = /^(\d{4})\/(\d{2})\/(\d{2})$/.exec(text)
  return parts && exists(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? text : undefined
}

export interface Moment {
  bare: boolean
  /** 'YYYY/MM/DD HH:mm:ss'; a bare date stands for its first or its last second. */
  at: string
}

/** A query date-time: `/` or `-` in the date, blank or `T` before the time; fraction and zone ignored. */
export const readMoment = (text: string, end: boolean): Moment | undefined => {
  const parts =
    /^(\d{4})([/-])(\d{2})\2(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text,
    )
  if (!parts) return undefined
  const [, year = '', , month = '', day = '', hour, minute, second = '00'] = parts
  if (!exists(Number(year), Number(month), Number(day))) return undefined
  const date = `${year}/${month}/${day}`
  if (hour === undefined) return { bare: true, at: `${date} ${end ? '23:59:59' : '00:00:00'}` }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return { bare: false, at: `${date} ${hour}:${minute}:${second}` }
}

/** The same day one year before, as 'YYYY/MM/DD'; 29 February becomes 28 February. */
export const yearBefore = (day: string): string => {
  const [year = '', month = '', date = ''] = slashed(day).split('/')
  const before = Number(year) - 1
  return `${before}/${month}/${exists(before, Number(month), Number(date)) ? date : '28'}`
}

/** So many days after a day; both 'YYYY/MM/DD'. */
export const daysLater = (day: string, count: number): string => {
  const [year, month, date] = day.split('/').map(Number)
  return slashed(new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 1) + count)).toISOString())
}

/** A date or date-time of the truth in the dialect asked for; any other text stays as it is. */
export const dialectDate = (text: string, format: DateFormat): string => {
  const parts = /^(\d{4})\/(\d{2})\/(\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text)
  if (!parts || format === 'YYYY/MM/DD') return text
  const [, year, month, day, time] = parts
  if (format === 'ISO') return `${year}-${month}-${day}${time ? `T${time}` : ''}`
  return `${day}/${month}/${year}${time ? ` ${time}` : ''}`
}
