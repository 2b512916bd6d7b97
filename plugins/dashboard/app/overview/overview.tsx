import type { PageView } from '../contract.ts'
import { Head } from '../head.tsx'
import { OnDemand } from '../panels/on-demand.tsx'
import { Panel } from '../panels/panel.tsx'
import { dashboard, steps } from '../session.ts'
import { Needs } from './needs.tsx'

/** The page that the panels of the overview belong to; it has no actions of its own. */
const PAGE: PageView = {
  path: '/',
  title: 'Overview',
  icon: 'house',
  group: 'work',
  menu: false,
  plugin: 'dashboard',
  panels: [],
  actions: [],
}

/** Number of taken steps that shows that the gateway is in use, so that its figures are of more interest than its steps. */
const IN_USE = 2

const loadSteps = async () => (await import('./getting-started.tsx')).GettingStarted

/** The queue of a person comes first, then the fleet in figures. A new gateway begins with the steps that put it to work. */
export function Overview() {
  const { overview } = dashboard.value as NonNullable<typeof dashboard.value>
  const done = steps.value?.done ?? IN_USE
  const list = <OnDemand load={loadSteps} props={{ open: done < IN_USE }} />
  return (
    <Head title="Overview">
      <div class="panels">
        {done < IN_USE && list}
        <Needs quiet={done === 0} />
        {done > 0 && overview.map((panel) => <Panel key={panel.id} panel={panel} page={PAGE} params={{}} />)}
        {done >= IN_USE && list}
      </div>
    </Head>
  )
}
