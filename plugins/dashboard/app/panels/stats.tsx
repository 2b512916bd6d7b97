import type { PanelOf } from '../contract.ts'
import { Field } from '../parts/value.tsx'
import type { Drawn } from './drawn.ts'

export function Stats({ panel, answer, scope }: Drawn<PanelOf<'stats'>>) {
  return (
    <dl class="figures">
      {panel.items.map((field) => (
        <div key={field.label}>
          <dt>{field.label}</dt>
          <dd>
            <Field field={field} scope={{ ...scope, row: answer }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
