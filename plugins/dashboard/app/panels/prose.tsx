import type { PanelOf } from '../contract.ts'
import { Markdown } from '../markdown.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'

export function Prose({ panel, answer }: Drawn<PanelOf<'markdown'>>) {
  return (
    <div class="prose-panel" role="region" aria-label={`${panel.title}: text`} tabIndex={0}>
      <Markdown text={String(at(answer, panel.text) ?? '')} />
    </div>
  )
}
