/** Who on this machine may read what is published: the lake, the catalog, the reports. Accounts are among it. */
export const READERS = {
  owner: { file: 0o400, folder: 0o700 },
  group: { file: 0o440, folder: 0o750 },
  everyone: { file: 0o444, folder: 0o755 },
} as const

export type Readers = keyof typeof READERS
