import { OnDemand } from '../panels/on-demand.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { JsonValue } from '../parts/value.tsx'
import { shown } from './act.ts'
import { open } from './begin.ts'
import { RunDialog } from './run-dialog.tsx'

/** The one place that renders the dialogs of actions. */
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
                load={async () => (await import('../panels/more.tsx')).Markdown}
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
