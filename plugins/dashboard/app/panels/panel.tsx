import type { ComponentChildren, ComponentType } from 'preact'
import { useId } from 'preact/hooks'
import { begin } from '../actions/begin.ts'
import { type Loaded, useAnswer } from '../answer.ts'
import { linkTo, type Scope } from '../arguments.ts'
import type { AskingPanel, FilterView, PageView, PanelView } from '../contract.ts'
import { Filters } from '../filters.tsx'
import { CopyButtons } from '../parts/copy.tsx'
import { Menu } from '../parts/menu.tsx'
import { at } from '../pointer.ts'
import { place, setQuery } from '../router.ts'
import { askLift, dashboard, me } from '../session.ts'
import { ownFilters } from '../shared-filters.ts'
import { plain } from '../text.ts'
import { Detail } from './detail.tsx'
import type { Drawn } from './drawn.ts'
import { List } from './list.tsx'
import { OnDemand } from './on-demand.tsx'
import { Stats } from './stats.tsx'
import { Table } from './table.tsx'

interface PanelProps {
  readonly panel: PanelView
  readonly page: PageView
  readonly params: Scope['params']
  /** Filters that the page shows, above the panels that have them alike. */
  readonly shared?: readonly FilterView[]
}

export function Panel({ panel, page, params, shared = [] }: PanelProps) {
  const scope: Scope = { params, query: place.value.query }
  if (panel.kind === 'form')
    return (
      <Frame panel={panel}>
        <OnDemand
          load={async () => (await import('../actions/forms.ts')).OpenForm}
          loading="Loading the form …"
          props={{ action: panel.action, scope }}
        />
      </Frame>
    )
  return <PanelForm panel={panel} page={page} scope={scope} filters={ownFilters(shared, panel)} />
}

interface PanelFormProps {
  readonly panel: AskingPanel
  readonly page: PageView
  readonly scope: Scope
  readonly filters: readonly FilterView[]
}

function PanelForm({ panel, page, scope, filters }: PanelFormProps) {
  const loaded = useAnswer(panel, scope.params)
  const empty = loaded.phase === 'shown' && isEmpty(panel, loaded.answer)
  const tools = (
    <Menu label={`${panel.title}: more`}>
      <button type="button" onClick={loaded.again}>
        Reload
      </button>
      {loaded.wire && <CopyButtons tool={panel.source.tool} wire={loaded.wire} args={loaded.args} />}
    </Menu>
  )
  return (
    <Frame panel={panel} tools={tools} busy={loaded.phase === 'loading' || loaded.turning}>
      {filters.length > 0 && <Filters filters={filters} panel={panel.id} />}
      {loaded.phase === 'shown' && loaded.refusal && (
        <p class="note warn" role="status">
          May be out of date: {plain(loaded.refusal.message)}
        </p>
      )}
      {loaded.phase === 'loading' && <Loading text={panel.texts.loading} />}
      {loaded.phase === 'waiting' && <p class="state">Enter {neededOf(panel.filters)} first.</p>}
      {loaded.phase === 'refused' && <Refused panel={panel} loaded={loaded} />}
      {empty && <Empty panel={panel} page={page} scope={scope} filtered={loaded.filtered || loaded.back !== undefined} />}
      {loaded.phase === 'shown' && !empty && (
        <Drawing panel={panel} answer={loaded.answer} scope={scope} of={JSON.stringify(loaded.args)} more={loaded.more} see={loaded.see} />
      )}
      {loaded.phase === 'shown' && mayBeCut(panel, loaded) && <p class="state">There may be more than is shown.</p>}
      {loaded.more && (
        <div class="turn">
          <button type="button" onClick={loaded.more}>
            Show more
          </button>
        </div>
      )}
      {(loaded.back ?? loaded.forth) && (
        <nav class="turn" aria-label={`Pages of ${panel.title}`}>
          <button type="button" disabled={!loaded.back} onClick={loaded.back}>
            Back
          </button>
          <button type="button" disabled={!loaded.forth} onClick={loaded.forth}>
            Next
          </button>
        </nav>
      )}
    </Frame>
  )
}

/** A list without pages ends early because of its size, or at the limit of its page. One with a link shows the beginning of another list. */
function mayBeCut(panel: AskingPanel, { answer, args }: Loaded): boolean {
  if (panel.paging) return false
  if (at(answer, '/truncated') === true) return true
  if (!('rows' in panel) || panel.link) return false
  const shown = sizeOf(at(answer, panel.rows))
  const total = at(answer, '/total')
  if (typeof total === 'number') return total > shown
  return at(answer, '/nextCursor') !== undefined || shown === (args.limit ?? panel.source.limit)
}

/** Returns the filters that a panel needs before it requests anything. */
const neededOf = (filters: AskingPanel['filters']): string =>
  filters
    .filter(({ required }) => required)
    .map(({ label }) => label)
    .join(', ')

const NO_QUERY = new URLSearchParams()

function Frame({
  panel,
  tools,
  busy,
  children,
}: {
  panel: PanelView
  tools?: ComponentChildren
  busy?: boolean
  children: ComponentChildren
}) {
  const id = useId()
  const address = 'link' in panel && panel.link ? linkTo(panel.link, { params: {}, query: NO_QUERY }) : undefined
  return (
    <section class={`panel ${panel.width}`} aria-labelledby={id} aria-busy={busy}>
      <header>
        <h2 id={id}>{address ? <a href={address}>{panel.title}</a> : panel.title}</h2>
        {tools}
      </header>
      {children}
    </section>
  )
}

const more = () => import('./more.tsx')
// biome-ignore lint/suspicious/noExplicitAny: each is given the panel of its own kind
type AnyPart = ComponentType<Drawn<any>>
/** Loads the code of a kind that is not part of the shell. */
const ON_DEMAND: Readonly<Partial<Record<AskingPanel['kind'], () => Promise<AnyPart>>>> = {
  board: async () => (await more()).Board,
  calendar: async () => (await more()).Calendar,
  commits: async () => (await more()).Commits,
  diff: async () => (await more()).Diff,
  graph: async () => (await import('./graph.tsx')).Graph,
  heatmap: async () => (await more()).Heatmap,
  log: async () => (await more()).Log,
  markdown: async () => (await more()).Prose,
  series: async () => (await import('./series.tsx')).Series,
  timeline: async () => (await more()).Timeline,
  waterfall: async () => (await more()).Waterfall,
}

function Drawing(props: Drawn<AskingPanel>) {
  const { panel, ...rest } = props
  if (panel.kind === 'stats') return <Stats panel={panel} {...rest} />
  if (panel.kind === 'table') return <Table panel={panel} {...rest} />
  if (panel.kind === 'list') return <List panel={panel} {...rest} />
  if (panel.kind === 'detail') return <Detail panel={panel} {...rest} />
  const load = ON_DEMAND[panel.kind]
  if (!load) return <p class="state">This page does not know this kind of panel. Reload the page.</p>
  return <OnDemand load={load} loading={panel.texts.loading} props={props} />
}

function isEmpty(panel: AskingPanel, answer: unknown): boolean {
  if ('rows' in panel) return sizeOf(at(answer, panel.rows)) === 0
  if (panel.kind === 'detail') return at(answer, panel.record) === undefined || at(answer, panel.record) === null
  if (panel.kind === 'graph') return sizeOf(at(answer, panel.nodes)) === 0
  if (panel.kind === 'markdown' || panel.kind === 'diff') return (at(answer, panel.text) ?? '') === ''
  return false
}

function sizeOf(rows: unknown): number {
  return typeof rows === 'object' && rows !== null ? Object.keys(rows).length : 0
}

export function Loading({ text }: { text: string }) {
  return (
    <div class="state loading" role="status">
      <span>{text}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

function Refused({ panel, loaded: { refusal, again } }: { panel: AskingPanel; loaded: Loaded }) {
  if (refusal?.wantsLift && me.value)
    return (
      <div class="state refused" role="status">
        <strong>Needs the operator’s token</strong>
        <button type="button" class="primary" onClick={askLift}>
          Lift …
        </button>
      </div>
    )
  if (refusal?.status === 404 && panel.texts.missing) return <p class="state">{panel.texts.missing}</p>
  const forbidden = refusal?.status === 403
  const role = dashboard.value?.caller.role
  return (
    <div class="state refused" role="status">
      <strong>{forbidden ? `Not with the role ${role}` : panel.texts.failed}</strong>
      <p>{plain(refusal?.message)}</p>
      <p>
        <small>
          {refusal?.code}
          {refusal?.requestId && ` · request ${refusal.requestId}`}
        </small>
      </p>
      {!forbidden && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

function Empty({ panel, page, scope, filtered }: { panel: AskingPanel; page: PageView; scope: Scope; filtered: boolean }) {
  if (filtered)
    return (
      <div class="state">
        <p>{panel.texts.unmatched}</p>
        {panel.filters.length > 0 && (
          <button type="button" onClick={() => clear(panel.filters)}>
            Clear the filters
          </button>
        )}
      </div>
    )
  return (
    <div class="state">
      <p>{panel.texts.empty}</p>
      <NextStep panel={panel} page={page} scope={scope} />
    </div>
  )
}

function clear(filters: AskingPanel['filters']): void {
  for (const { argument } of filters) setQuery(argument, undefined)
}

function NextStep({ panel: { next, ...panel }, page, scope }: { panel: AskingPanel; page: PageView; scope: Scope }) {
  if (!next) return null
  if ('link' in next) {
    const address = linkTo(next.link, scope)
    const link = dashboard.value?.pages.find(({ path }) => path === next.link.to)
    return address && link ? <a href={address}>{link.title}</a> : null
  }
  const all = [...('actions' in panel ? panel.actions : []), ...page.actions]
  const action = all.find(({ id }) => id === next.action)
  return action ? (
    <button type="button" class="primary" onClick={() => begin(action, [{ name: action.label, scope }])}>
      {action.label}
    </button>
  ) : null
}
