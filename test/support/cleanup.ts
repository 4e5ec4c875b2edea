import { TestRunner } from 'vitest'

type Undo = () => unknown

const ofTest: Undo[] = []
const ofFile: Undo[] = []

/** Undoes something when the running test ends; outside of a test (beforeAll), when its file ends. Last first. */
export function onEnd(undo: Undo): void {
  ;(TestRunner.getCurrentTest() ? ofTest : ofFile).push(undo)
}

/** Called by `setup.ts`, which every file of tests begins with: workers keep modules from one file to the next. */
export async function endTest(): Promise<void> {
  for (const undo of ofTest.splice(0).reverse()) await undo()
}

export async function endFile(): Promise<void> {
  for (const undo of ofFile.splice(0).reverse()) await undo()
}
