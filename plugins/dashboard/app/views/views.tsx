import { useEffect, useState } from 'preact/hooks'
import { type Fault, FaultNote, faultOfRefusal } from '../actions/fault.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { NotRead } from '../parts/not-read.tsx'
import { href, path, place } from '../router.ts'
import { say } from '../toasts.ts'
import { askViews, deleteView, loadViews, saveView, unread, views } from './kept.ts'

export function Views() {
  const [saving, setSaving] = useState(false)
  useEffect(askViews, [])
  const page = path.value
  const query = place.value.query.toString()
  const own = (views.value ?? []).filter((view) => view.page === page)
  return (
    <>
      <Menu label="Views" sign={<Icon name="bookmark" />}>
        {own.map((view) => (
          <div key={view.viewId} class="view">
            <a href={href(page, new URLSearchParams(view.query))} aria-current={view.query === query ? 'true' : undefined}>
              {view.name}
            </a>
            <button type="button" class="quiet square" aria-label={`Delete the view ${view.name}`} onClick={() => void deleteView(view)}>
              <Icon name="x" />
            </button>
          </div>
        ))}
        {unread.value && (
          <p role="status">
            <NotRead refusal={unread.value} again={() => void loadViews()} />
          </p>
        )}
        {views.value && own.length === 0 && <p>No saved views of this page.</p>}
        <button type="button" onClick={() => setSaving(true)} disabled={query === ''}>
          Save this view …
        </button>
      </Menu>
      {saving && <Save page={page} query={query} close={() => setSaving(false)} />}
    </>
  )
}

function Save({ page, query, close }: { page: string; query: string; close: () => void }) {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<Fault>()
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const answer = await saveView({ name: name.trim(), page, query })
    if (!answer.ok) return setFault(faultOfRefusal(answer.refusal))
    close()
    say({ tone: 'good', title: `View ${name.trim()}: saved` })
  }
  return (
    <Dialog title="Save this view" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <div class="dialog-body">
          <label class="field">
            Name
            <input value={name} maxLength={80} required autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <FaultNote fault={fault} />
        </div>
        <footer>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
