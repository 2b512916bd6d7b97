import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PageView } from './contract.ts'
import { arrived } from './router.ts'

interface HeadProps {
  readonly title: string
  readonly detail?: string
  /** Id of the record, if the title is its name. */
  readonly id?: string | undefined
  readonly parent?: PageView | undefined
  readonly actions?: unknown
  readonly children: unknown
}

/** The head of a page. The focus moves to it on navigation. */
export function Head({ title, detail = '', id, parent, actions, children }: HeadProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  const came = useRef(arrived.peek())
  useEffect(() => {
    document.title = `${detail === '' ? title : `${detail} · ${title}`} · Gateway`
  }, [title, detail])
  useSignalEffect(() => {
    if (arrived.value > 0 && (arrived.value !== came.current || document.activeElement === document.body)) ref.current?.focus()
    came.current = arrived.value
  })
  useEffect(() => {
    if (arrived.peek() > 0) ref.current?.focus()
  }, [])
  return (
    <>
      <div class="head">
        <div>
          {parent && (
            <nav aria-label="Breadcrumb">
              <a href={`/dashboard${parent.path}`}>{parent.title}</a>
              {id && <code> {id}</code>}
            </nav>
          )}
          <h1 tabIndex={-1} ref={ref}>
            <bdi>{title}</bdi>
            {detail !== '' && (
              <>
                {' '}
                <small>
                  <bdi>{detail}</bdi>
                </small>
              </>
            )}
          </h1>
        </div>
        <div class="head-actions">{actions as never}</div>
      </div>
      {children as never}
    </>
  )
}
