import { type Advice, type Conclusion, type Reason, SIGNS, seriousReasons } from '../../night/conclusion.js'
import { date, instant } from '../figures.js'
import { type Html, html } from '../html.js'
import { command } from './blocks.js'

/** Reasons that are shown at once; the others are counted. */
const SHOWN = 8

/** First thing on the page: is it complete, can it be trusted, why not, what to type. */
export function conclusionSection(conclusion: Conclusion | null, day: string): Html {
  if (!conclusion) return unknownNight(day)
  const { state, headline, complete, trusted, run, night, next } = conclusion
  const reasons = seriousReasons(conclusion)
  const about = night ?? run
  const name = about.job === 'nightly' ? 'night' : about.job
  return html`<section class="conclusion ${state}" aria-labelledby="conclusion-title">
<div class="sign" aria-hidden="true">${SIGNS[state]}</div>
<div>
<h2 id="conclusion-title">${titleOf(conclusion, name)}</h2>
<dl class="answers">
${answer('Complete?', complete, against(reasons, 'complete'), headline)}
${answer('Trusted?', trusted, against(reasons, 'trusted'), 'no rule of severity error is broken')}
${alsoKnown(reasons)}
${about.runId === run.runId ? false : html`<div><dt>Since then</dt><dd>${run.job} of ${instant(run.finishedAt)}, exit ${run.exitCode}.</dd></div>`}
<div><dt>What to do next</dt><dd>${
    next.length === 0
      ? html`<strong>Nothing.</strong> The next night runs by its schedule; ${command('candlehouse status')} shows when.`
      : html`<ol class="next">${next.map(adviceItem)}</ol>`
  }</dd></div>
</dl>
</div>
</section>
`
}

function titleOf({ state, complete, trusted }: Conclusion, name: string): string {
  if (state === 'failed') return 'The run failed: nothing new was published'
  if (state === 'stopped') return `The ${name} was stopped`
  if (complete && trusted) return `The ${name} is complete and its data can be trusted`
  if (complete) return 'Complete, but some of the data cannot be trusted'
  return trusted
    ? 'Published, but something is missing'
    : 'Something is missing, and some data cannot be trusted'
}

function unknownNight(day: string): Html {
  return html`<section class="conclusion attention" aria-labelledby="conclusion-title">
<div class="sign" aria-hidden="true">!</div>
<div>
<h2 id="conclusion-title">No run for ${date(day)} has left a conclusion</h2>
<dl class="answers"><div><dt>What to do next</dt><dd>${command('candlehouse status')} shows how the last run ended.</dd></div></dl>
</div>
</section>
`
}

function against(reasons: readonly Reason[], what: Reason['against']): readonly Reason[] {
  return reasons.filter((reason) => reason.against === what)
}

function answer(question: string, holds: boolean, reasons: readonly Reason[], good: string): Html {
  return html`<div><dt>${question}</dt><dd><strong class="${holds ? 'yes' : 'no'}">${holds ? 'Yes.' : 'No.'}</strong> ${
    holds ? `${capitalised(good)}.` : list(reasons)
  }</dd></div>`
}

/** What changes neither answer: what cannot be fetched any more, accounts that nobody has logged in for. */
function alsoKnown(reasons: readonly Reason[]): Html | false {
  const known = against(reasons, null)
  return known.length > 0 && html`<div><dt>Also</dt><dd>${list(known)}</dd></div>`
}

function list(reasons: readonly Reason[]): Html {
  const more = reasons.length - SHOWN
  return html`<ul class="reasons">${reasons.slice(0, SHOWN).map(({ text }) => html`<li>${text}</li>`)}${
    more > 0 ? html`<li>and ${more} more</li>` : false
  }</ul>`
}

function adviceItem({ command: words, why }: Advice): Html {
  return words === null
    ? html`<li>${capitalised(why)}.</li>`
    : html`<li>${command(words)} <span class="why">${why}</span></li>`
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
