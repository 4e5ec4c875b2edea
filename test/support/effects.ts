import {
  type FakeEffects as FakeOutside,
  fakeEffects as fakeOutside,
} from '../../packages/foundation/test/fake-effects.js'
import { type Effects, systemEffects } from '../../src/effects.js'

/** A fake clock and chance, with the disk of the system. */
export type FakeEffects = FakeOutside & Effects

export function fakeEffects(...start: Parameters<typeof fakeOutside>): FakeEffects {
  return Object.assign(fakeOutside(...start), { disk: systemEffects.disk })
}
