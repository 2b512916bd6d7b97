import { useEffect, useState } from 'preact/hooks'
import { isHidden } from '../clock.ts'
import type { StepView } from '../contract.ts'
import { onAnyChange } from '../live.ts'
import { copy } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { href } from '../router.ts'
import { askSteps, pages, steps } from '../session.ts'
import { spaced } from '../spaced.ts'

/** Some steps are taken outside of anything that the page hears of. Once the gateway is in use, they are rare. */
const ASK_MS = 5_000
const ASK_IN_USE_MS = 120_000

/** The steps that put the gateway to work; each ticks itself once it was taken. */
export function GettingStarted({ open }: { open: boolean }) {
  const known = steps.value
  const left = (known?.steps.length ?? 0) - (known?.done ?? 0)
  useEffect(() => {
    if (left === 0) return
    const asking = spaced(askSteps, isHidden)
    const timer = setInterval(asking.soon, open ? ASK_MS : ASK_IN_USE_MS)
    const unsubscribe = onAnyChange(asking.soon)
    document.addEventListener('visibilitychange', asking.resume)
    return () => {
      asking.stop()
      clearInterval(timer)
      unsubscribe()
      document.removeEventListener('visibilitychange', asking.resume)
    }
  }, [left === 0, open])
  if (!known || left === 0) return null
  const next = known.steps.find(({ done }) => !done)
  return (
    <section class="panel full steps" aria-labelledby="getting-started">
      <details open={open}>
        <summary>
          <h2 id="getting-started">Getting started</h2>
          <span class="count">
            {known.done} of {known.steps.length}
          </span>
        </summary>
        <ol>
          {known.steps.map((step) => (
            <Step key={step.id} step={step} isNext={step === next} />
          ))}
        </ol>
      </details>
    </section>
  )
}

function Step({ step: { title, text, done, snippets, to }, isNext }: { step: StepView; isNext: boolean }) {
  const page = pages.value.find(({ path }) => path === to)
  return (
    <li class={done ? 'done' : undefined}>
      <details open={isNext}>
        <summary>
          <Icon name={done ? 'check' : 'circle'} />
          <span>{title}</span>
          <span class={done ? 'badge good' : 'unseen'}>{done ? 'done' : 'not done yet'}</span>
        </summary>
        <div class="step">
          <p>{text}</p>
          {snippets.length > 0 && <Snippets snippets={snippets} />}
          {page && (
            <p>
              <a href={href(page.path)}>{page.title}</a>
            </p>
          )}
        </div>
      </details>
    </li>
  )
}

function Snippets({ snippets }: { snippets: StepView['snippets'] }) {
  const [at, setAt] = useState(0)
  const { label = '', code = '' } = snippets[at] ?? {}
  const text = code.replaceAll('{url}', window.location.origin)
  return (
    <div class="snippets">
      {snippets.length > 1 && (
        <div class="choices" role="group" aria-label="Snippet">
          {snippets.map((snippet, index) => (
            <button type="button" key={snippet.label} class="small" aria-pressed={index === at} onClick={() => setAt(index)}>
              {snippet.label}
            </button>
          ))}
        </div>
      )}
      <div class="snippet">
        <pre tabIndex={0} role="region" aria-label={label}>
          {text}
        </pre>
        <button type="button" class="small" onClick={() => void copy(text, `the snippet for ${label}`)}>
          Copy
        </button>
      </div>
    </div>
  )
}
