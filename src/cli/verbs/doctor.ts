import { SettingsError } from 'candlehouse-foundation/errors'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { renderDiagnoses } from '../render/diagnosis.js'
import { type Call, type CommonOptions, type Edge, type NewVerb, prepareReading } from '../verb.js'

type Options = CommonOptions & { deep?: true }

export function doctorVerb(verb: NewVerb): Command {
  return verb(
    'doctor',
    'Check machine, settings, clock, lock and files, and try the credentials; change nothing',
  )
    .option('--deep', 'also read every raw page, and every file and every column of the lake')
    .works(runDoctor)
}

/** Checks everything, prints the findings, and ends with the exit code of the first failure. */
export async function runDoctor(options: Options, edge: Edge, effects: Effects): Promise<void> {
  const { examine, examineMachine, worstCode, fail, systemMachine } = await import('../../doctor/index.js')
  const machine = { ...systemMachine, ...edge.machine }
  let call: Call
  try {
    call = prepareReading(options, edge, effects)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const meaning = 'No command can run with these settings.'
    const diagnoses = [
      ...examineMachine(machine),
      fail('settings', error.exitCode, error.message, meaning, error.hint ?? null),
    ]
    const text = options.json ? JSON.stringify({ diagnoses }, null, 2) : renderDiagnoses(diagnoses)
    await edge.terminal.data(`${edge.terminal.clean(text)}\n`)
    edge.endWith(worstCode(diagnoses))
    return
  }
  if (options.deep) call.progress.phase('read')
  const diagnoses = await examine(call.settings, {
    machine,
    deep: options.deep === true,
    onStep: (name) => call.progress.advance(1, name),
    signal: call.signal,
    effects: call.effects,
  })
  if (options.deep) call.progress.done()
  await call.answer({ diagnoses }, () => renderDiagnoses(diagnoses))
  call.endWith(worstCode(diagnoses))
}
