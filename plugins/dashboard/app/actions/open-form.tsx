import { useState } from 'preact/hooks'
import { argumentsOf, type Scope } from '../arguments.ts'
import type { ActionView } from '../contract.ts'
import { type Draft, draftOf, Fields, valuesOf } from '../form.tsx'
import { liftFirst } from '../session.ts'
import { act } from './act.ts'
import { begin } from './begin.ts'
import { type Fault, FaultNote, faultOf, faultOfRefusal } from './fault.tsx'
import { CopyMenu, submitFromText } from './form-parts.tsx'
import { formOf } from './rules.ts'

export function OpenForm({ action, scope }: { action: ActionView; scope: Scope }) {
  const schema = formOf(action) ?? { type: 'object', properties: {} }
  const begun = (): Draft => draftOf(schema, argumentsOf(action, scope))
  const [draft, setDraft] = useState<Draft>(begun)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy || liftFirst(action)) return
    setBusy(true)
    try {
      if (action.confirm || action.effect === 'destructive') {
        setBusy(false)
        return begin(action, [{ name: action.label, scope }], valuesOf(schema, draft))
      }
      const answer = await act(action, scope, valuesOf(schema, draft))
      setFault(answer.ok ? undefined : faultOfRefusal(answer.refusal))
      if (answer.ok && action.effect !== 'read') setDraft(begun())
    } catch (error) {
      setFault(faultOf(error))
    }
    setBusy(false)
  }
  return (
    <form class="open-form" onSubmit={(event) => void submit(event)} onKeyDown={submitFromText}>
      <Fields schema={schema} draft={draft} change={setDraft} wrong={fault?.field} />
      <FaultNote fault={fault} />
      <footer>
        <CopyMenu action={action} target={{ name: action.label, scope }} values={() => valuesOf(schema, draft)} />
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? 'Working …' : action.label}
        </button>
      </footer>
    </form>
  )
}
