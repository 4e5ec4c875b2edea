interface Props {
  /** From 1. */
  page: number
  pages: number
  addressOf(page: number): string
  /** What has these pages. */
  label?: string
}

/** Links to the page before and the next one; nothing where there is one page. */
export function Pager({ page, pages, addressOf, label = 'Pages of rows' }: Props) {
  if (pages <= 1) return null
  const link = (to: number, words: string) =>
    to >= 1 && to <= pages ? <a href={addressOf(to)}>{words}</a> : <span />
  return (
    <nav class="pager" aria-label={label}>
      {link(page - 1, '← before')}
      <span>
        page {page} of {pages}
      </span>
      {link(page + 1, 'next →')}
    </nav>
  )
}
