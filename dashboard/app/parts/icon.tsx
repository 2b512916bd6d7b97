import { signal } from '@preact/signals'
import type { IconNode } from 'lucide'

/** The drawings come after the page: it can be read without them. */
const drawn = signal<ReadonlyMap<string, IconNode>>(new Map())
import('./icons.ts').then(
  (all) => {
    drawn.value = new Map(Object.entries(all).map(([name, node]) => [kebab(name), node]))
  },
  // Nothing is lost with them.
  () => undefined,
)

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Z])/g, '-').toLowerCase()
}

/** A drawing that says nothing the text beside it does not. An unknown name is a dot. */
export function Icon({ name }: { name: string }) {
  const node = drawn.value.get(name) ?? drawn.value.get('circle') ?? []
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {node.map(([Tag, attributes], index) => {
        const Shape = Tag as 'path'
        return <Shape key={index} {...(attributes as object)} />
      })}
    </svg>
  )
}
