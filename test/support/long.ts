/** Whether `make soak` runs: tests of many variants take all of them then; `make test` takes those that differ most. */
export const LONG = process.env.SOAK === '1'
