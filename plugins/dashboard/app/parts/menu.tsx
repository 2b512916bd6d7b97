import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const GAP = 4

/** Puts the buttons next to their menu, above it where there is no room below. They are not cut off by a list that scrolls. */
function place(menu: HTMLElement): void {
  const box = menu.querySelector<HTMLElement>(':scope > div')
  if (!box) return
  const { top, bottom, right } = menu.getBoundingClientRect()
  const fits = bottom + GAP + box.offsetHeight <= window.innerHeight || top < box.offsetHeight + GAP
  box.style.top = `${fits ? bottom + GAP : top - GAP - box.offsetHeight}px`
  const { clientWidth } = document.documentElement
  box.style.right = `${Math.max(GAP, Math.min(clientWidth - right, clientWidth - GAP - box.offsetWidth))}px`
}

interface MenuProps {
  readonly label: string
  readonly children: ComponentChildren
  readonly sign?: ComponentChildren
  readonly opened?: () => void
}

/** True if the button of a menu is in view: not scrolled away, and not covered. */
function isInView(menu: HTMLElement): boolean {
  const { left, top, width, height } = menu.getBoundingClientRect()
  return menu.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** Buttons behind a button: Escape and a click elsewhere close them. */
export function Menu({ label, children, sign = '⋯', opened }: MenuProps) {
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
    // Rows also move when a panel above them gets its answer: the buttons follow theirs.
    const scrolled = (event: Event): void => {
      const menu = ref.current
      if (!menu?.open || menu.contains(event.target as Node)) return
      if (isInView(menu)) place(menu)
      else menu.open = false
    }
    document.addEventListener('scroll', scrolled, { capture: true, passive: true })
    document.addEventListener('click', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('scroll', scrolled, { capture: true })
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  const toggled = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => {
    if (!currentTarget.open) return
    place(currentTarget)
    opened?.()
  }
  // Its contents may arrive later, and need other room.
  useEffect(() => {
    if (ref.current?.open) place(ref.current)
  })
  return (
    <details class="menu" ref={ref} onToggle={toggled}>
      <summary aria-label={label} title={label}>
        <span aria-hidden="true">{sign}</span>
      </summary>
      <div>{children}</div>
    </details>
  )
}
