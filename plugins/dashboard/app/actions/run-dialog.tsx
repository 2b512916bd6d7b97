import { useState } from 'preact/hooks'
import { argumentsOf } from '../arguments.ts'
import type { ActionView } from '../contract.ts'
import { changesOf, type Draft, draftOf, Fields, type Values } from '../form.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { cut } from '../text.ts'
import { act } from './act.ts'
import type { Run } from './begin.ts'
import { type Fault, FaultNote, faultOf, faultOfRefusal } from './fault.tsx'
import { CopyMenu, submitFromText } from './form-parts.tsx'
import { formOf, objectOf } from './rules.ts'
import { actOnAll, type Verdict, Verdicts } from './several.tsx'
import type { Target } from './target.ts'

export function RunDialog({ run, close }: { run: Run; close: () => void }) {
  const { targets, known } = run
  const schema = formOf(run.action)
  const first = targets[0] as Target
  const kept = fieldsOfRow(run.action).filter((name) => !(name in known))
  const action = withoutArguments(run.action, kept)
  const [begun] = useState<Draft>(() => {
    // The values of one row are not those of the others.
    const own = argumentsOf(targets.length > 1 ? action : run.action, first.scope)
    return schema ? draftOf(schema, { ...own, ...known }) : { texts: {} }
  })
  const [draft, setDraft] = useState<Draft>(begun)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>()
  const object = objectOf(action, first)
  const typed = action.confirm?.typed === true
  const word = targets.length > 1 ? String(targets.length) : object.trim()
  const values = (): Values => (schema ? changesOf(schema, begun, draft, kept) : {})

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (typed && name.trim() !== word) return setFault({ message: `Type “${cut(word, 120)}” to continue.` })
    let given: Values
    try {
      given = values()
    } catch (error) {
      return setFault(faultOf(error))
    }
    setBusy(true)
    setFault(undefined)
    if (targets.length > 1) setVerdicts(await actOnAll(action, targets, given))
    else {
      const answer = await act(action, first.scope, given)
      if (answer.ok) return close()
      setFault(faultOfRefusal(answer.refusal))
    }
    setBusy(false)
  }

  if (verdicts) return <Verdicts action={action} verdicts={verdicts} close={close} />
  const heading = targets.length > 1 ? `${action.label}: ${targets.length} selected` : action.label
  return (
    <Dialog title={heading} close={close}>
      <form onSubmit={(event) => void submit(event)} onKeyDown={submitFromText}>
        <div class="dialog-body">
          {targets.length > 1 ? <Names targets={targets} /> : object !== action.label && <p class="object">{cut(object, 400)}</p>}
          {action.confirm && <p>{action.confirm.text}</p>}
          {!action.confirm && action.effect === 'destructive' && <p>This action is destructive.</p>}
          {schema && <Fields schema={schema} draft={draft} change={setDraft} wrong={fault?.field} />}
          {typed && (
            <label class="field">
              {targets.length > 1 ? 'Type how many they are to continue' : 'Type the name to continue'}
              <input value={name} onInput={(event) => setName(event.currentTarget.value)} autocomplete="off" required />
            </label>
          )}
          <FaultNote fault={fault} />
        </div>
        <footer>
          <CopyMenu action={action} target={first} values={values} />
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class={action.tone === 'bad' || action.effect === 'destructive' ? 'bad' : 'primary'} aria-disabled={busy}>
            {busy ? 'Working …' : action.label}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const MAX_NAMES = 20

function Names({ targets }: { targets: readonly Target[] }) {
  return (
    <ul class="names">
      {targets.slice(0, MAX_NAMES).map(({ name }, index) => (
        <li key={index}>{cut(name, 120)}</li>
      ))}
      {targets.length > MAX_NAMES && <li>and {targets.length - MAX_NAMES} more</li>}
    </ul>
  )
}

/** Returns the fields of the action's form that begin with a value of the row. */
function fieldsOfRow({ arguments: all, form }: ActionView): readonly string[] {
  const { properties = {} } = (form?.schema ?? {}) as { properties?: object }
  return Object.keys(properties).filter((name) => all[name]?.from === 'row')
}

/** A field of the form is sent only if it was changed, so the call does not take it from the row. */
function withoutArguments(action: ActionView, names: readonly string[]): ActionView {
  const rest = Object.entries(action.arguments).filter(([name]) => !names.includes(name))
  return { ...action, arguments: Object.fromEntries(rest) }
}
