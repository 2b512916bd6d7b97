import type { PanelOf } from '../contract.ts'
import { Spark, Used } from '../parts/spark.tsx'
import { Field, figure } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'

export function Stats({ panel, answer, scope }: Drawn<PanelOf<'stats'>>) {
  return (
    <dl class="figures">
      {panel.items.map((field) => {
        const value = at(answer, field.value)
        const limit = typeof field.limit === 'string' ? at(answer, field.limit) : undefined
        const alarm = field.alarm !== undefined && typeof value === 'number' && value > 0 ? field.alarm : ''
        return (
          <div key={field.label} class={alarm}>
            <dt>{field.label}</dt>
            <dd>
              <Field field={field} scope={{ ...scope, row: answer }} />
              {field.trend !== undefined && <Spark values={at(answer, field.trend)} />}
              {typeof limit === 'number' && <Used value={value} limit={limit} shown={figure(limit, field)} />}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
