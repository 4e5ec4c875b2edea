/** Says that nothing has the name in the page's address: a typing error, or an old link. The page shows something else below. */
export function NoSuch({ what, name, shown }: { what: string; name: string | undefined; shown: string }) {
  return (
    <div class="failure" role="alert">
      <p>
        There is no {what} {name}. Below: {shown}.
      </p>
    </div>
  )
}
