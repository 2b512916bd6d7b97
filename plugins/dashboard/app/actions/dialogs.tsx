import { OnDemand } from '../panels/on-demand.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { JsonValue } from '../parts/value.tsx'
import { shown } from './act.ts'
import { open } from './begin.ts'

/** The one place that renders the dialogs of actions. */
export function ActionDialogs() {
  const run = open.value
  const after = shown.value
  const close = (): void => void (open.value = undefined)
  return (
    <>
      {run && <OnDemand key={run.action.id} load={async () => (await import('./forms.ts')).RunDialog} props={{ run, close }} end={close} />}
      {after && (
        <Dialog title={after.title} close={() => (shown.value = undefined)} wide>
          <div class="dialog-body">
            {after.kind === 'markdown' ? (
              <OnDemand load={async () => (await import('../panels/more.tsx')).Markdown} props={{ text: String(after.value ?? '') }} />
            ) : (
              <JsonValue value={after.value} open />
            )}
          </div>
        </Dialog>
      )}
    </>
  )
}
