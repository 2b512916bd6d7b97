import { useEffect } from 'preact/hooks'
import { ActionButton } from '../actions/buttons.tsx'
import { applies } from '../actions/rules.ts'
import type { FieldView, PanelOf } from '../contract.ts'
import { Field, isEmpty } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import { path, recordName } from '../router.ts'
import { cut, plain } from '../text.ts'
import type { Drawn } from './drawn.ts'
import { nameOf } from './rows.tsx'

export function Detail({ panel, answer, scope }: Drawn<PanelOf<'detail'>>) {
  const own = { ...scope, row: at(answer, panel.record) }
  const actions = panel.actions.filter((action) => applies(action, own.row))
  const target = { name: nameOf(own.row, panel.names === undefined ? (panel.fields[0] as FieldView) : { value: panel.names }), scope: own }
  const name = panel.names === undefined ? undefined : at(own.row, panel.names)
  useEffect(() => {
    if (typeof name === 'string' && name !== '') recordName.value = { of: path.peek(), name: cut(plain(name), 160) }
  }, [name])
  return (
    <>
      <dl class="record">
        {panel.fields
          .filter((field) => !isEmpty(at(own.row, field.value)))
          .map((field) => (
            <div key={field.label} class={isWide(at(own.row, field.value)) ? 'wide' : undefined}>
              <dt>{field.label}</dt>
              <dd>
                <Field field={field} scope={own} roomy />
              </dd>
            </div>
          ))}
      </dl>
      {actions.length > 0 && (
        <p class="record-actions">
          {actions.map((action) => (
            <ActionButton key={action.id} action={action} target={target} />
          ))}
        </p>
      )}
    </>
  )
}

const NARROW = 60

function isWide(value: unknown): boolean {
  return typeof value === 'string' ? value.length > NARROW : typeof value === 'object' && value !== null
}
