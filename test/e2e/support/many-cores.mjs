// Loaded into the built CLI with `node --import`: the program and DuckDB see a machine of sixteen cores.

import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

os.availableParallelism = () => 16
syncBuiltinESMExports()
process.env.SLURM_CPUS_ON_NODE = '16'
