/** The page's address names something that is not stored, a typing error or a link of before. What is shown stands below it. */
export function NoSuch({ what, name, shown }: { what: string; name: string | undefined; shown: string }) {
  return (
    <div class="failure" role="alert">
      <p>
        There is no {what} {name}. Below: {shown}.
      </p>
    </div>
  )
}
