import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type Refusal, send, wireOf } from './api.ts'
import { argumentsOf, linkTo, type Scope, valueOf } from './arguments.ts'
import type { ActionView, Json } from './contract.ts'
import { type Draft, draftOf, Fields, FormFault, type Values, valuesOf } from './form.tsx'
import { tellAll } from './live.ts'
import { OnDemand } from './panels/on-demand.tsx'
import { CopyButtons } from './parts/copy.tsx'
import { Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { Menu } from './parts/menu.tsx'
import { JsonValue } from './parts/value.tsx'
import { at } from './pointer.ts'
import { go } from './router.ts'
import { askLift, beginAnew, changesCaller, liftFirst } from './session.ts'
import { cut, plain } from './text.ts'
import { say, type Toast } from './toasts.ts'

/** What an action is done to: one row, or several of a selection. */
export interface Target {
  readonly name: string
  readonly scope: Scope
}
interface Run {
  readonly action: ActionView
  readonly targets: readonly Target[]
  /** What its form was given already. */
  readonly known: Values
}
/** The action whose dialog is open. */
const open = signal<Run | undefined>(undefined)
/** What an action had to show afterwards. */
const shown = signal<{ readonly title: string; readonly kind: 'markdown' | 'json'; readonly value: unknown } | undefined>(undefined)

/** Whether an action is for this row. */
export function applies({ when }: ActionView, row: unknown): boolean {
  if (!when) return true
  const value = at(row, when.pointer) ?? null
  return when.in.includes(value as string)
}

/** One form asks for all: the fields of the action’s own form, and the arguments that are asked. */
export function formOf(action: ActionView): Json | undefined {
  const asked = Object.entries(action.arguments).flatMap(([name, argument]) =>
    argument.from === 'asked' ? [[name, argument] as const] : [],
  )
  if (asked.length === 0) return action.form?.schema as Json | undefined
  const { properties = {}, required = [] } = (action.form?.schema ?? {}) as { properties?: object; required?: readonly string[] }
  return {
    type: 'object',
    properties: { ...properties, ...Object.fromEntries(asked.map(([name, { label, schema }]) => [name, { ...schema, title: label }])) },
    required: [...required, ...asked.filter(([, argument]) => argument.required).map(([name]) => name)],
  }
}

/** Begin an action: at once where there is nothing to ask, else with its dialog. */
export function begin(action: ActionView, targets: readonly Target[], known: Values = {}): void {
  if (liftFirst(action, () => begin(action, targets, known))) return
  const asks = formOf(action) !== undefined || action.confirm !== undefined || action.effect === 'destructive' || targets.length > 1
  if (asks) open.value = { action, targets, known }
  else if (targets[0]) void act(action, targets[0].scope, {}).then((answer) => answer.ok || refuse(action, answer.refusal))
}

function refuse(action: ActionView, refusal: Refusal): void {
  say({ tone: 'bad', title: `${action.label}: refused`, text: refusal.message })
}

function argumentsFor(action: ActionView, scope: Scope, values: Values): Record<string, unknown> {
  return { ...argumentsOf(action, { ...scope, asked: values }), ...values }
}

/** Do it, and what follows: whatever is on the page is asked for again. */
export async function act(action: ActionView, scope: Scope, values: Values, quiet = false): Promise<Answer> {
  const answer = await send(wireOf(action, argumentsFor(action, scope, values)))
  if (!answer.ok) {
    if (answer.refusal.wantsLift) askLift()
    return answer
  }
  if (changesCaller(action.url)) beginAnew('/')
  if (action.effect !== 'read') tellAll()
  if (quiet) return answer
  if (action.effect !== 'read' || action.done)
    say({ tone: 'good', title: action.done ?? `${action.label}: done`, ...undoOf(action, scope, answer.data) })
  if (action.shows) shown.value = { title: action.label, kind: action.shows.kind, value: at(answer.data, action.shows.text) }
  const next = action.leads && linkTo(action.leads, { ...scope, row: answer.data })
  if (next) go(next)
  return answer
}

/** What takes it back, as a message offers it. */
function undoOf({ label, undo }: ActionView, scope: Scope, answer: unknown): Pick<Toast, 'act'> {
  if (!undo) return {}
  const run = async (): Promise<void> => {
    const taken = await send(wireOf(undo, argumentsOf(undo, { ...scope, row: answer })))
    if (taken.ok) tellAll()
    say(
      taken.ok ? { tone: 'good', title: `${label}: undone` } : { tone: 'bad', title: `${label}: not undone`, text: taken.refusal.message },
    )
  }
  return { act: { label: 'Undo', run: () => void run() } }
}

export function ActionButton({ action, target, small = false }: { action: ActionView; target: Target; small?: boolean }) {
  const about = small ? `${action.label}: ${target.name}` : undefined
  return (
    <button type="button" class={`${action.tone}${small ? ' small' : ''}`} aria-label={about} onClick={() => begin(action, [target])}>
      {action.icon && !small && <Icon name={action.icon} />}
      {action.label}
    </button>
  )
}

/** The actions of one row: two stand open, more are behind a menu. */
export function RowActions({ actions = [], target }: { actions?: readonly ActionView[] | undefined; target: Target }) {
  const fitting = actions.filter((action) => applies(action, target.scope.row))
  if (fitting.length === 0) return null
  const direct = fitting.length <= 2 ? fitting : fitting.slice(0, 1)
  const rest = fitting.slice(direct.length)
  return (
    <span class="row-actions">
      {direct.map((action) => (
        <ActionButton key={action.id} action={action} target={target} small />
      ))}
      {rest.length > 0 && (
        <Menu label={`More actions: ${target.name}`}>
          {rest.map((action) => (
            <button type="button" key={action.id} class={action.tone} onClick={() => begin(action, [target])}>
              {action.label}
            </button>
          ))}
        </Menu>
      )}
    </span>
  )
}

/** The one place where dialogs of actions stand. */
export function ActionDialogs() {
  const run = open.value
  const after = shown.value
  return (
    <>
      {run && <RunDialog key={run.action.id} run={run} close={() => (open.value = undefined)} />}
      {after && (
        <Dialog title={after.title} close={() => (shown.value = undefined)} wide>
          <div class="dialog-body">
            {after.kind === 'markdown' ? (
              <OnDemand
                load={async () => (await import('./panels/more.tsx')).Markdown}
                loading="…"
                props={{ text: String(after.value ?? '') }}
              />
            ) : (
              <JsonValue value={after.value} open />
            )}
          </div>
        </Dialog>
      )}
    </>
  )
}

interface Verdict {
  readonly name: string
  readonly refusal?: Refusal
}

function RunDialog({ run: { action, targets, known }, close }: { run: Run; close: () => void }) {
  const schema = formOf(action)
  const first = targets[0] as Target
  const [draft, setDraft] = useState<Draft>(() =>
    schema ? draftOf(schema, { ...argumentsOf(action, first.scope), ...known }) : { texts: {} },
  )
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>()
  const object = objectOf(action, first)
  const typed = action.confirm?.typed === true && targets.length === 1
  const values = (): Values => (schema ? valuesOf(schema, draft) : {})

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (typed && name.trim() !== object.trim()) return setFault({ message: `Type “${cut(object, 120)}” to go on.` })
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
      setFault({ message: answer.refusal.message, refusal: answer.refusal, field: fieldOf(answer.refusal) })
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
          {!action.confirm && action.effect === 'destructive' && <p>This takes something away.</p>}
          {schema && <Fields schema={schema} draft={draft} change={setDraft} wrong={fault?.field} />}
          {typed && (
            <label class="field">
              Type the name to go on
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

/** In a text of several lines Enter is a line; with Ctrl or Cmd it submits. */
function submitFromText(event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}

interface Fault {
  readonly message: string
  readonly field?: string | undefined
  readonly refusal?: Refusal
}

function faultOf(error: unknown): Fault {
  return { message: (error as Error).message, ...(error instanceof FormFault && { field: error.field }) }
}

function fieldOf({ details }: Refusal): string | undefined {
  const { field } = (details ?? {}) as { field?: unknown }
  return typeof field === 'string' ? field.replace(/^\//, '').split(/[./]/)[0] : undefined
}

function FaultNote({ fault }: { fault: Fault | undefined }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (fault) ref.current?.focus()
  }, [fault])
  if (!fault) return null
  return (
    <p class="note bad" role="alert" tabIndex={-1} ref={ref}>
      {plain(fault.message)}
      {fault.refusal && <small> {fault.refusal.code}</small>}
    </p>
  )
}

/** The name of what an action is about to touch. */
function objectOf(action: ActionView, { name, scope }: Target): string {
  const object = action.confirm?.object
  if (object === null || object === undefined) return name
  const value = valueOf(object, '', scope)
  return value === undefined || value === null ? name : plain(value)
}

const MOST_NAMES = 20

function Names({ targets }: { targets: readonly Target[] }) {
  return (
    <ul class="names">
      {targets.slice(0, MOST_NAMES).map(({ name }, index) => (
        <li key={index}>{cut(name, 120)}</li>
      ))}
      {targets.length > MOST_NAMES && <li>and {targets.length - MOST_NAMES} more</li>}
    </ul>
  )
}

/** Four at a time: the gateway serves others beside this. */
const AT_ONCE = 4

async function actOnAll(action: ActionView, targets: readonly Target[], values: Values): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  const queue = targets.entries()
  const work = async (): Promise<void> => {
    for (const [index, { name, scope }] of queue) {
      const answer = await act(action, scope, values, true)
      verdicts[index] = answer.ok ? { name } : { name, refusal: answer.refusal }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return verdicts
}

function Verdicts({ action, verdicts, close }: { action: ActionView; verdicts: readonly Verdict[]; close: () => void }) {
  const refused = verdicts.filter(({ refusal }) => refusal).length
  return (
    <Dialog title={`${action.label}: ${verdicts.length - refused} done, ${refused} refused`} close={close}>
      <div class="dialog-body">
        <ul class="verdicts">
          {verdicts.map(({ name, refusal }, index) => (
            <li key={index} class={refusal ? 'bad' : 'good'}>
              <strong>{cut(name, 120)}</strong> {refusal ? plain(refusal.message) : 'done'}
            </li>
          ))}
        </ul>
      </div>
      <footer>
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

function CopyMenu({ action, target, values }: { action: ActionView; target: Target; values: () => Values }) {
  let args: Record<string, unknown>
  try {
    args = argumentsFor(action, target.scope, values())
  } catch {
    // What is typed is no JSON yet.
    args = argumentsOf(action, target.scope)
  }
  return (
    <Menu label="Copy this call">
      <CopyButtons tool={action.tool} wire={wireOf(action, args)} args={args} />
    </Menu>
  )
}

/** The form of an action that stands open in its page. */
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
      setFault(answer.ok ? undefined : { message: answer.refusal.message, refusal: answer.refusal, field: fieldOf(answer.refusal) })
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
