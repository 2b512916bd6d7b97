import { signal } from '@preact/signals'
import type { IconNode } from 'lucide'

/** Icons load after the page, which is readable without them. */
const drawn = signal<ReadonlyMap<string, IconNode>>(new Map())
import('./icons.ts').then(
  (all) => {
    drawn.value = new Map(Object.entries(all).map(([name, node]) => [kebab(name), node]))
  },
  // A failure is ignored: the page works without icons.
  () => undefined,
)

function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Z])/g, '-').toLowerCase()
}

/** A decorative icon: the text next to it says the same. An unknown name is a dot. */
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
