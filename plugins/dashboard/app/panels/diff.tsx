import type { PanelOf } from '../contract.ts'
import { at } from '../pointer.ts'
import { cut, readable } from '../text.ts'
import type { Drawn } from './drawn.ts'

const MAX_LINES = 4_000
const MAX_WIDTH = 2_000

/** A unified diff. Signs mark additions and removals; the colour only repeats them. */
export function Diff({ panel, answer }: Drawn<PanelOf<'diff'>>) {
  const text = String(at(answer, panel.text) ?? '')
  const lines = text.slice(0, MAX_LINES * MAX_WIDTH).split('\n')
  return (
    <>
      <pre class="diff" tabIndex={0} role="region" aria-label={panel.title}>
        {lines.slice(0, MAX_LINES).map((line, index) => (
          <span key={index} class={classOf(line)}>
            {readable(cut(line, MAX_WIDTH))}
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > MAX_LINES && <p class="none">{lines.length - MAX_LINES} more lines are not shown.</p>}
    </>
  )
}

function classOf(line: string): string | undefined {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : undefined
}
