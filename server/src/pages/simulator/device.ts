import { notice } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { actButton } from './parts.ts'

/** The terminal itself: what stands at its edges whatever it shows. */
export function device(): Html {
  return html`<section class="device" aria-label="Terminal">
<div class="bezel">
<div class="glass">
<div class="status-bar">
<p><strong data-terminal-name>New terminal</strong><span data-who></span></p>
${actButton('Lock', 'lock', { kind: 'quiet', size: 'small', hidden: true })}
</div>
<div class="screen-place" data-screen-place>
<noscript>${notice('warn', 'This page needs JavaScript', 'It is a terminal in your browser: it makes a key, and calls the service by itself. Switch JavaScript on.')}</noscript>
</div>
<div class="back-bar" data-back-bar hidden>${actButton('Back', 'back', { kind: 'quiet', size: 'small' })}</div>
</div>
</div>
</section>`
}
