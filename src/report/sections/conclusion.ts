import { type Html, html } from '../html.js'
import type { Answer, Conclusion } from '../model/conclusion.js'
import { command } from './parts.js'

const SIGNS = { good: '✓', attention: '!', failed: '✕' } as const

/** First thing on the page: is it complete, can it be trusted, what to type. */
export function conclusionSection({ state, headline, complete, trusted, since, next }: Conclusion): Html {
  return html`<section class="conclusion ${state}" aria-labelledby="conclusion-title">
<div class="sign" aria-hidden="true">${SIGNS[state]}</div>
<div>
<h2 id="conclusion-title">${headline}</h2>
<dl class="answers">
${answer('Complete?', complete)}
${answer('Trusted?', trusted)}
${since === null ? false : html`<div><dt>Since then</dt><dd>${since}.</dd></div>`}
<div><dt>What to do next</dt><dd>${
    next.length === 0
      ? html`<strong>Nothing.</strong> The next night runs by its schedule; ${command('candlehouse status')} shows when.`
      : html`<ol class="next">${next.map(({ command: words, why }) => html`<li>${command(words)} <span class="why">${why}</span></li>`)}</ol>`
  }</dd></div>
</dl>
</div>
</section>
`
}

function answer(question: string, { holds, words }: Answer): Html {
  return html`<div><dt>${question}</dt><dd><strong class="${holds ? 'yes' : 'no'}">${holds ? 'Yes.' : 'No.'}</strong> ${words}.</dd></div>`
}
