import { arg, definePage, Panel } from '@gateway/sdk'
import { installsList } from '../routes/installs-list.ts'
import { installsRemove } from '../routes/installs-remove.ts'
import { marketplaceInstall } from '../tools/marketplace-install.ts'
import { marketplaceSearch } from '../tools/marketplace-search.ts'

export const marketplacePage = definePage({
  path: '/marketplace',
  title: 'Marketplace',
  description: 'Published agents and skills that you can install.',
  icon: 'store',
  group: 'library',
  order: 20,
  panels: [
    Panel.list({
      id: 'listings',
      title: 'Published',
      from: marketplaceSearch,
      filters: [{ argument: 'q', label: 'Words' }, 'kind'],
      rows: '/listings',
      key: '/slug',
      head: '/title',
      text: '/description',
      fields: {
        Kind: { value: '/kind', format: 'badge' },
        Version: { value: '/version', format: 'code' },
        Published: { value: '/publishedAt', format: 'time' },
      },
      actions: [
        {
          id: 'install',
          label: 'Install',
          icon: 'download',
          tone: 'primary',
          tool: marketplaceInstall,
          arguments: { slug: arg.row('/slug') },
        },
      ],
      empty: 'No published agents or skills yet. `marketplace_publish` submits one for review.',
    }),
    Panel.table({
      id: 'installs',
      title: 'Installed',
      from: installsList,
      rows: '/installs',
      key: '/slug',
      columns: {
        Title: '/title',
        Kind: { value: '/kind', format: 'badge' },
        Version: { value: '/version', format: 'code' },
        Installed: { value: '/installedAt', format: 'time' },
      },
      actions: [
        {
          id: 'uninstall',
          label: 'Remove',
          icon: 'trash-2',
          tool: installsRemove,
          arguments: { slug: arg.row('/slug') },
          confirm: { object: arg.row('/title'), text: 'It can be installed again.' },
          undo: { tool: marketplaceInstall, arguments: { slug: arg.before('/slug'), version: arg.before('/version') } },
        },
      ],
      empty: 'No packages installed yet.',
    }),
  ],
})
