import { useState } from 'preact/hooks'
import { Menu } from '../parts/menu.tsx'
import { begin } from './begin.ts'
import { actionsAt, type RecordAction } from './record.ts'

/** The actions of the record that a row names, read when the menu is opened. */
export function RecordMenu({ path, name }: { path: string; name: string }) {
  const [found, setFound] = useState<readonly RecordAction[]>()
  const load = (): void => {
    setFound(undefined)
    void actionsAt(path).then(setFound)
  }
  return (
    <Menu label={`Actions: ${name}`} opened={load}>
      {found?.map(({ action, target }) => (
        <button type="button" key={action.id} class={action.tone} onClick={() => begin(action, [target])}>
          {action.label}
        </button>
      ))}
      {found?.length === 0 && <p>No actions at the moment.</p>}
      {found === undefined && <p role="status">Loading …</p>}
    </Menu>
  )
}
