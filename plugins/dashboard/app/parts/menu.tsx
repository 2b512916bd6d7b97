import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Buttons behind a button: Escape and a click elsewhere close them. */
export function Menu({ label, children, sign = '⋯' }: { label: string; children: ComponentChildren; sign?: string }) {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event): void => {
      const menu = ref.current
      if (!menu?.open) return
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        menu.open = false
        menu.querySelector('summary')?.focus()
      } else if (!menu.contains(event.target as Node) || (event.target as Element).closest('.menu button')) menu.open = false
    }
    document.addEventListener('click', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details class="menu" ref={ref}>
      <summary aria-label={label} title={label}>
        <span aria-hidden="true">{sign}</span>
      </summary>
      <div>{children}</div>
    </details>
  )
}
