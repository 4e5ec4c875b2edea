import { readDay } from 'candlehouse-foundation/command-line/argument'
import type { Day } from 'candlehouse-foundation/market/day'
import { Command } from 'commander'
import { renderDeleted, renderPacked, renderRawVerification } from '../render/raw.js'
import { DAMAGED, type NewVerb } from '../verb.js'

/** Exit code where the user has to confirm: usage. */
const UNCONFIRMED = 2

const BEFORE = '--before <day>'

export function rawVerb(verb: NewVerb): Command {
  return new Command('raw')
    .description('Pack, verify or delete raw pages of closed months')
    .addCommand(packVerb(verb))
    .addCommand(verifyVerb(verb))
    .addCommand(deleteVerb(verb))
}

function packVerb(verb: NewVerb): Command {
  return verb('pack', 'Put raw pages of closed months into one archive (tar) per dataset and month')
    .requiredOption(BEFORE, 'pack months that end before this day', readDay)
    .writes(async (call, { before }: { before: Day }) => {
      const { runPack } = await import('../../run/verbs/raw.js')
      const packed = await runPack(call.settings, before, call)
      await call.answer(packed, () => renderPacked(packed))
      if (packed.damaged.length > 0) call.endWith(DAMAGED)
    })
}

function verifyVerb(verb: NewVerb): Command {
  return verb(
    'verify',
    'Check that every raw page that was loaded is there, as a file or in an archive, as it was received',
  ).writes(async (call) => {
    const { verifyRaw } = await import('../../read/raw.js')
    call.progress.phase('verify', undefined, 'runs')
    const verification = await verifyRaw(call.settings.home, {
      onRun: (run) => call.progress.advance(1, run),
      signal: call.signal,
    })
    call.progress.done()
    await call.answer(verification, () => renderRawVerification(verification))
    if (verification.isDamaged) call.endWith(DAMAGED)
  })
}

function deleteVerb(verb: NewVerb): Command {
  return verb(
    'delete',
    'Delete raw pages of closed months for good; afterwards replay cannot rebuild their sessions',
  )
    .requiredOption(BEFORE, 'delete months that end before this day', readDay)
    .option('--yes', 'delete; without it, show what can no longer be rebuilt, and delete nothing')
    .writes(async (call, { before, yes }: { before: Day; yes?: true }) => {
      const { runDelete } = await import('../../run/verbs/raw.js')
      const deleted = await runDelete(call.settings, before, yes === true, call)
      await call.answer(deleted, () => renderDeleted(deleted))
      if (deleted.deleted || deleted.months.length === 0) return
      call.terminal.complain('candlehouse: nothing was deleted: --yes is missing')
      call.terminal.complain(`  next: candlehouse raw delete --before ${before} --yes`)
      call.endWith(UNCONFIRMED)
    })
}
