import { arg, closed, definePage, definePlugin, defineRoute, defineTool, Panel, type Plugin, Type } from '@gateway/sdk'

const T = '2026-01-15T10:00:00.000Z'
const RTL = '\u202egnp.exe\u202c'
/** Texts that untrusted callers may write into any field. */
export const HOSTILE = {
  markup: '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
  bidi: `invoice${RTL}`,
  control: 'a\u0000b\u001b[31mred\u0007',
  long: 'x'.repeat(1_000_000),
  words: 'word '.repeat(2_000),
  link: '[click](javascript:window.hacked=1) ![i](https://elsewhere.example/i.png) <b onclick=x>bold</b> https://example.org/',
} as const

const Row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: Type.String(),
  note: Type.Optional(Type.String()),
  at: Type.String(),
  size: Type.Number(),
  cost: Type.Number(),
  tags: Type.Array(Type.String()),
  parents: Type.Array(Type.String()),
  more: Type.Object({ deep: Type.String() }),
})
const Rows = Type.Object({
  rows: Type.Array(Row),
  first: Type.Optional(Row),
  links: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  text: Type.String(),
  patch: Type.String(),
  nextCursor: Type.Optional(Type.String()),
  count: Type.Number(),
})

const STATES = ['open', 'busy', 'done'] as const
const markdown = [
  '# Heading\n\nA *word*, **two**, `code` and <b>no tag</b>.\n\n- one\n- [x] two\n\n> said\n\n```\nkept   as it is\n```\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
].join('\n')
const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n'

/** A plugin with a page of every kind of panel: with a few rows, empty, refused, with untrusted text. */
export function gallery(): Plugin {
  const changed = new Map<string, string>()
  const removed = new Set<string>()
  const rowsOf = (of?: string) => {
    const hostile = of === 'hostile'
    return Array.from({ length: 6 }, (_, index) => ({
      id: `row-${index}`,
      name: hostile ? (Object.values(HOSTILE)[index] ?? '') : `Row ${index}`,
      state: changed.get(`row-${index}`) ?? (STATES[index % 3] as string),
      note: hostile ? (Object.values(HOSTILE)[(index + 1) % 6] ?? '') : 'A note about it.',
      at: new Date(Date.parse(T) + index * 3_600_000).toISOString(),
      size: index * 1_234_567,
      cost: index / 3,
      tags: hostile ? Object.values(HOSTILE).map((text) => text.slice(0, 2_000)) : ['blue', 'green'],
      parents: index < 3 ? [`row-${index + 1}`, `row-${index + 3}`] : index < 5 ? ['row-5'] : [],
      more: { deep: hostile ? HOSTILE.markup : 'value' },
    })).filter(({ id }) => of === 'paged' || !removed.has(id))
  }

  const list = defineTool({
    name: 'show_list',
    description: 'List what is shown.',
    capability: 'read',
    effect: 'read',
    input: Type.Object(
      {
        of: Type.Optional(Type.String({ maxLength: 20 })),
        state: Type.Optional(Type.Enum([...STATES])),
        cursor: Type.Optional(Type.String()),
      },
      closed,
    ),
    output: Rows,
    handle: async ({ of, state, cursor }) => {
      const all = of === 'none' ? [] : rowsOf(of).filter((row) => state === undefined || row.state === state)
      const page = cursor === undefined ? all.slice(0, 4) : all.slice(4)
      return {
        rows: of === 'paged' ? page : all,
        ...(all[0] && { first: all[0] }),
        links: all.slice(1).map(({ id }, index) => ({ from: `row-${index}`, to: id })),
        text: of === 'hostile' ? Object.values(HOSTILE).join('\n\n') : of === 'none' ? '' : markdown,
        patch: of === 'hostile' ? `@@ -1 +1 @@\n+${HOSTILE.markup}\n-${HOSTILE.bidi}${HOSTILE.long}` : of === 'none' ? '' : patch,
        count: all.length,
        ...(of === 'paged' && cursor === undefined && { nextCursor: 'second' }),
      }
    },
  })
  const secret = defineTool({
    name: 'show_secrets',
    description: 'Refuse everybody.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ rows: Type.Array(Row) }),
    handle: async (_input, _uses, ctx) => {
      ctx.require('members')
      return { rows: [] }
    },
  })
  const change = defineTool({
    name: 'show_change',
    description: 'Change the state of a row.',
    capability: 'work',
    effect: 'write',
    input: Type.Object(
      {
        id: Type.String({ minLength: 1 }),
        state: Type.Enum([...STATES]),
        comment: Type.Optional(Type.String({ maxLength: 4_000, description: 'What is to be said of it.' })),
        tags: Type.Optional(Type.Array(Type.String())),
        loud: Type.Optional(Type.Boolean({ default: true })),
        times: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      },
      closed,
    ),
    output: Type.Object({ id: Type.String() }),
    handle: async ({ id, state }) => {
      changed.set(id, state)
      return { id }
    },
  })
  const remove = defineTool({
    name: 'show_remove',
    description: 'Remove a row. The first one stays.',
    capability: 'work',
    effect: 'destructive',
    input: Type.Object({ id: Type.String() }, closed),
    output: Type.Object({}),
    handle: async ({ id }) => {
      if (id === 'row-0') throw new Error('it stays')
      removed.add(id)
      return {}
    },
  })

  const ledger = defineRoute({
    name: 'show.ledger',
    description: 'What the operator alone sees.',
    capability: 'operator',
    credential: 'admin',
    effect: 'read',
    rest: 'GET /api/show/ledger',
    input: Type.Object({}, closed),
    output: Type.Object({ text: Type.String() }),
    handle: async () => ({ text: 'Only the operator reads this.' }),
  })
  const close = defineRoute({
    name: 'show.close',
    description: 'Close the ledger.',
    capability: 'operator',
    credential: 'admin',
    effect: 'write',
    rest: 'POST /api/show/ledger/close',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    handle: async () => ({}),
  })

  const fields = {
    State: { value: '/state', format: 'badge', tones: { open: 'info', busy: 'warn', done: 'good' } },
    Since: { value: '/at', format: 'time' },
    Size: { value: '/size', format: 'bytes' },
    Cost: { value: '/cost', format: 'money' },
    Tags: { value: '/tags', format: 'badge' },
    More: { value: '/more', format: 'json' },
  } as const
  const actions = [
    { id: 'finish', label: 'Finish', tool: change, arguments: { id: arg.row('/id'), state: 'done' } },
    {
      id: 'remove',
      label: 'Remove',
      tool: remove,
      arguments: { id: arg.row('/id') },
      confirm: { object: arg.row('/name'), text: 'It is gone for good.', typed: true },
    },
    { id: 'edit', label: 'Edit', tool: change, arguments: { id: arg.row('/id') }, form: ['state', 'comment', 'tags', 'loud', 'times'] },
  ] as const
  const panelsOf = (of: string) => {
    const shared = { from: list, arguments: { of }, empty: { text: 'Nothing is here yet.', action: 'new' } } as const
    const rows = { ...shared, rows: '/rows', key: '/id' } as const
    return [
      Panel.stats({
        ...shared,
        id: 'stats',
        title: 'Figures',
        items: {
          Rows: { value: '/count', format: 'number', stopsAt: 7 },
          'Rows up to 6': { value: '/count', format: 'number', stopsAt: 6 },
          Missing: '/text',
        },
      }),
      Panel.table({ ...rows, id: 'table', title: 'Table', filters: ['state'], columns: { Name: '/name', ...fields }, actions }),
      Panel.list({ ...rows, id: 'list', title: 'List', width: 'half', head: '/name', text: '/note', fields: { State: fields.State } }),
      Panel.timeline({ ...rows, id: 'timeline', title: 'Timeline', width: 'half', at: '/at', head: '/name', text: '/note' }),
      Panel.waterfall({
        ...rows,
        id: 'waterfall',
        title: 'Waterfall',
        head: '/name',
        start: '/size',
        end: '/cost',
        fields: { State: fields.State },
      }),
      Panel.heatmap({
        from: list,
        arguments: { of },
        empty: 'None.',
        rows: '/rows',
        x: '/at',
        id: 'heatmap',
        title: 'Heat map',
        lines: { Size: { value: '/size', format: 'number' } },
      }),
      Panel.board({
        ...rows,
        id: 'board',
        title: 'Board',
        column: '/state',
        columns: [{ value: 'open' }, { value: 'busy', tone: 'warn' }, { value: 'done', tone: 'good' }],
        head: '/name',
        fields: { Since: fields.Since },
        move: { id: 'move', label: 'Move', tool: change, arguments: { id: arg.row('/id'), state: arg.column() } },
      }),
      Panel.detail({
        ...shared,
        id: 'detail',
        title: 'Detail',
        width: 'half',
        record: '/first',
        fields: { Name: '/name', Note: '/note', ...fields },
      }),
      Panel.series({
        ...shared,
        id: 'series',
        title: 'Series',
        width: 'half',
        rows: '/rows',
        x: '/at',
        lines: { Cost: fields.Cost, Size: fields.Size },
      }),
      Panel.series({
        ...shared,
        id: 'bars',
        title: 'Bars',
        width: 'half',
        rows: '/rows',
        x: '/state',
        lines: { Cost: fields.Cost },
        chart: 'bar',
      }),
      Panel.graph({
        ...shared,
        id: 'graph',
        title: 'Graph',
        width: 'half',
        nodes: '/rows',
        node: { id: '/id', label: '/name', group: '/state' },
        edges: '/links',
        edge: { from: '/from', to: '/to' },
      }),
      Panel.commits({
        ...rows,
        id: 'commits',
        title: 'Commits',
        width: 'half',
        parents: '/parents',
        at: '/at',
        head: '/name',
        fields: { State: fields.State },
        open: { to: '/gallery-few' },
      }),
      Panel.calendar({ ...rows, id: 'calendar', title: 'Calendar', at: '/at', head: '/name' }),
      Panel.diff({ ...shared, id: 'diff', title: 'Diff', width: 'half', text: '/patch' }),
      Panel.log({ ...shared, id: 'log', title: 'Log', width: 'half', rows: '/rows', at: '/at', level: '/state', text: '/name' }),
      Panel.markdown({ ...shared, id: 'markdown', title: 'Text', text: '/text' }),
      Panel.form({ id: 'form', title: 'Form', action: { id: 'form-change', label: 'Change', tool: change, form: 'all' } }),
    ]
  }
  const page = (of: string, title: string, panels = panelsOf(of)) =>
    definePage({
      path: `/gallery-${of}`,
      title,
      description: 'Every kind of panel.',
      icon: 'boxes',
      group: 'admin',
      actions: [{ id: 'new', label: `New in ${of}`, tone: 'primary', tool: change, form: ['id', 'state'] }],
      panels,
    })

  return definePlugin({
    id: 'gallery',
    sdk: '^1.0.0',
    description: 'Every kind of panel.',
    tools: [list, secret, change, remove],
    routes: [ledger, close],
    pages: [
      page('few', 'A few'),
      page('none', 'None'),
      page('hostile', 'From strangers'),
      page('paged', 'Paged', [
        Panel.table({
          from: list,
          arguments: { of: 'paged' },
          empty: 'None.',
          rows: '/rows',
          key: '/id',
          id: 'table',
          title: 'Pages',
          columns: { Name: '/name' },
          paging: { cursor: 'cursor', next: '/nextCursor' },
        }),
        Panel.table({
          from: secret,
          empty: 'None.',
          rows: '/rows',
          key: '/id',
          id: 'secrets',
          title: 'Secrets',
          columns: { Name: '/name' },
        }),
      ]),
      page('guarded', 'Guarded', [
        Panel.markdown({ from: ledger, empty: 'Nothing is written.', id: 'ledger', title: 'Ledger', text: '/text' }),
        Panel.form({ id: 'close', title: 'Closing', action: { id: 'close', label: 'Close the ledger', tool: close } }),
        Panel.table({
          from: list,
          arguments: { of: 'few' },
          empty: 'None.',
          rows: '/rows',
          key: '/id',
          id: 'rows',
          title: 'Rows',
          columns: { Name: '/name' },
          actions: [
            {
              id: 'wipe',
              label: 'Wipe',
              tool: remove,
              arguments: { id: arg.row('/id') },
              confirm: { object: arg.row('/name'), text: 'There is no way back.', typed: true },
            },
          ],
        }),
      ]),
    ],
  })
}
