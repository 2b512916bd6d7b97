import { Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import { Account, Looking } from './account.tsx'
import { ActionButton } from './actions/buttons.tsx'
import { ActionDialogs } from './actions/dialogs.tsx'
import { locked, reached } from './api.ts'
import type { Scope } from './arguments.ts'
import type { PageView } from './contract.ts'
import { Filters } from './filters.tsx'
import { Head } from './head.tsx'
import { invitation } from './invited.ts'
import { connection } from './live.ts'
import { Navigation } from './navigation.tsx'
import { Overview } from './overview/overview.tsx'
import { openPalette, PaletteHolder } from './palette/open.tsx'
import { OnDemand } from './panels/on-demand.tsx'
import { Loading, Panel } from './panels/panel.tsx'
import { Icon } from './parts/icon.tsx'
import { match, path, place, recordName } from './router.ts'
import { dashboard, enter, failure, lifting } from './session.ts'
import { isAmong, sharedFilters } from './shared-filters.ts'
import { choosing } from './tenants.ts'
import { plain } from './text.ts'
import { followTitle, titleOf } from './titles.ts'
import { toasts, unsay } from './toasts.ts'
import { hasViews } from './views/has-views.ts'

export function App() {
  if (locked.value || invitation.value !== undefined) return <OnDemand load={loadSignIn} loading="Loading the sign-in …" props={{}} />
  if (dashboard.value === undefined) return <Entrance />
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation />
      <Top />
      <main id="content" tabIndex={-1}>
        <Looking />
        <Content />
      </main>
      <PaletteHolder />
      <ActionDialogs />
      {lifting.value && <OnDemand load={loadLift} props={{}} end={() => (lifting.value = undefined)} />}
      {choosing.value && <OnDemand load={loadTenants} props={{}} end={() => (choosing.value = false)} />}
      <Toasts />
    </>
  )
}

function Entrance() {
  const refusal = failure.value
  return (
    <main class="entrance">
      <h1>Gateway</h1>
      {refusal ? (
        <>
          <p role="alert">{refusal.status === 404 ? 'This gateway has no pages: its dashboard is disabled.' : plain(refusal.message)}</p>
          <p>
            <button type="button" onClick={() => void enter()}>
              Try again
            </button>
          </p>
        </>
      ) : (
        <Loading text="Asking the gateway …" />
      )}
    </main>
  )
}

const STATE = { live: 'Live', asking: 'Asks every 10 s', off: 'Not connected' } as const

function Top() {
  const state = reached.value ? connection.value : 'off'
  return (
    <header class="top">
      <button type="button" class="search" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        <span>Search pages, actions and data …</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class={`connection ${state}`} role="status">
        <i aria-hidden="true" />
        <span>{STATE[state]}</span>
      </span>
      <Account />
    </header>
  )
}

function Content() {
  const { pages } = dashboard.value as NonNullable<typeof dashboard.value>
  const found = match(pages, path.value)
  if (found) return <Page key={path.value} page={found.page} params={found.params} />
  if (path.value === '/') return <Overview />
  return (
    <Head title="No such page">
      <p>
        There is no page <code>{plain(path.value)}</code> for the role {dashboard.value?.caller.role}.
      </p>
      <p>
        <a href="/">To the overview</a>
      </p>
    </Head>
  )
}

const loadSignIn = async () => (await import('./identity.ts')).SignIn
const loadLift = async () => (await import('./identity.ts')).LiftDialog
const loadTenants = async () => (await import('./identity.ts')).ChooseTenant
const loadViews = async () => (await import('./views/views.tsx')).Views

function Page({ page, params }: { page: PageView; params: Scope['params'] }) {
  const scope: Scope = { params, query: place.value.query }
  const parent = dashboard.value?.pages
    .filter(({ path: one, menu }) => menu && page.path.startsWith(`${one}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]
  const id = Object.values(params).map(plain).join(' · ')
  const shared = sharedFilters(page.panels)
  const first = page.panels.find((panel) => isAmong(shared, panel))
  useEffect(() => {
    const collections = page.panels.flatMap((panel) => (panel.kind === 'form' ? [] : panel.source.live))
    return typeof page.heading === 'object' ? followTitle(page.heading.titleOf, id, collections) : undefined
  }, [page, id])
  const known = recordName.value?.of === path.value ? recordName.value.name : headingOf(page, id)
  return (
    <Head
      title={known ?? page.title}
      detail={known === undefined ? id : page.title}
      id={known === undefined || known === id ? undefined : id}
      parent={parent}
      actions={[
        ...(hasViews(page) ? [<OnDemand key="views" load={loadViews} props={{}} />] : []),
        ...page.actions.map((action) => <ActionButton key={action.id} action={action} target={{ name: action.label, scope }} />),
      ]}
    >
      {page.description && <p class="lead">{page.description}</p>}
      <div class="panels">
        {page.panels.map((panel) => (
          <Fragment key={panel.id}>
            {panel === first && <Filters filters={shared} panel="several panels" />}
            <Panel panel={panel} page={page} params={params} shared={shared} />
          </Fragment>
        ))}
      </div>
    </Head>
  )
}

const headingOf = ({ heading }: PageView, id: string): string | undefined =>
  heading === 'parameter' ? id : heading && titleOf(heading.titleOf, id)

function Toasts() {
  return (
    <div class="toasts" role="log" aria-label="Messages">
      {toasts.value.map(({ id, tone, title, text, path: about, act }) => (
        <div key={id} class={`toast ${tone}`}>
          <div>
            <strong>{about ? <a href={`/dashboard${about}`}>{plain(title)}</a> : plain(title)}</strong>
            {text && <p>{plain(text)}</p>}
          </div>
          {act && (
            <button type="button" class="small" onClick={() => [unsay(id), act.run()]}>
              {act.label}
            </button>
          )}
          <button type="button" class="quiet square" aria-label="Close this message" onClick={() => unsay(id)}>
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  )
}
