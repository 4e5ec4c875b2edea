/** A promise that someone else resolves. (Promise.withResolvers is not on Node 20.) */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
