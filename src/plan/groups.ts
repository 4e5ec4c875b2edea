/** Items by a name of theirs; groups and items in the order in which they come. */
export function groupsBy<Item, Name>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): Map<Name, [Item, ...Item[]]> {
  const groups = new Map<Name, [Item, ...Item[]]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
