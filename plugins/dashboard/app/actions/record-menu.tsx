import { useState } from 'preact/hooks'
import { Menu } from '../parts/menu.tsx'
import { NotRead } from '../parts/not-read.tsx'
import { begin } from './begin.ts'
import { actionsAt, type OfRecord } from './record.ts'

/** The actions of the record that a row names, read when the menu is opened. */
export function RecordMenu({ path, name }: { path: string; name: string }) {
  const [found, setFound] = useState<OfRecord>()
  const load = (): void => {
    setFound(undefined)
    void actionsAt(path).then(setFound)
  }
  return (
    <Menu label={`Actions: ${name}`} opened={load}>
      {found?.actions.map(({ action, target }) => (
        <button type="button" key={action.id} class={action.tone} onClick={() => begin(action, [target])}>
          {action.label}
        </button>
      ))}
      {found?.actions.length !== 0 ? null : found.refusal ? (
        <p role="status">
          <NotRead refusal={found.refusal} again={load} />
        </p>
      ) : (
        <p>No actions at the moment.</p>
      )}
      {found === undefined && <p role="status">Loading …</p>}
    </Menu>
  )
}
