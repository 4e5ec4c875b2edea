import { accounts } from './kinds/accounts.js'
import { bars } from './kinds/bars.js'
import { figures } from './kinds/figures.js'
import { lists } from './kinds/lists.js'
import type { Mutation } from './kinds/mutation.js'
import { reportedTwice } from './kinds/reported-twice.js'

/** Every lie, in a fixed order. */
export const MUTATIONS: readonly Mutation[] = [...figures, ...lists, ...bars, ...reportedTwice, ...accounts]
